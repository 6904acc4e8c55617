package io.callboard.internal.durable;

import io.callboard.ActorOptions;
import io.callboard.CallboardException;
import io.callboard.DeliveryMode;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Reply;
import io.callboard.internal.messaging.DeadLetters;
import io.callboard.internal.metrics.MailboxMeter;
import io.callboard.internal.turn.AtMostOnceWindow;
import io.callboard.internal.turn.SelfMessages;
import io.callboard.internal.turn.TurnLoop;
import io.callboard.internal.turn.TurnStep;
import io.callboard.store.Loaded;
import io.callboard.store.MailboxHeader;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Mailbox of one durable actor in the memory of its node, over all lives: its turn loop, the
 * notifier of new mail, the figures of both, and what becomes of messages that are lost. Owned by
 * the durable context, where every method is called, except {@link MailboxMeter#status}.
 */
final class DurableMailbox {
  private final DurableEnvironment environment;
  private final ActorPath path;
  private final TurnLoop loop;
  private final MailboxMeter meter;
  private final MailNotifier mail;
  private final Runnable goOn;
  private long lastBusyNs;
  private int stay;

  /**
   * @param readable the part of new mail that the actor can take from memory
   * @param goOn called when the loop may have a new decision to make
   */
  DurableMailbox(
      DurableEnvironment environment,
      ActorPath path,
      ActorOptions options,
      UnaryOperator<List<Envelope>> readable,
      Runnable goOn) {
    this.environment = environment;
    this.path = path;
    this.goOn = goOn;
    this.loop =
        new TurnLoop(
            "the mailbox of " + path,
            options.attempts(),
            options.delivery().orElse(DeliveryMode.EXACTLY_ONCE),
            new MailboxHeader(false, options.mailboxLimit(), options.whenFull()),
            environment.node()::nanoTime,
            this::lost);
    loop.direct()
        .outlet(
            environment
                .appender()
                .outlet(path, loop.direct(), () -> environment.node().onDurableContext(goOn)));
    this.lastBusyNs = environment.node().nanoTime();
    this.meter = new MailboxMeter(lastBusyNs);
    this.mail =
        new MailNotifier(
            environment.node(), environment.store(), path, loop, meter, readable, goOn);
  }

  /**
   * Reports a message that was consumed ahead of its handling and will not be handled: it becomes a
   * dead letter, and its ask fails.
   */
  private void lost(AtMostOnceWindow.Lost lost) {
    environment.actors().deadLetters().add(path, null, lost.message(), lost.cause());
    environment
        .asks()
        .replyTo(lost.message().replyTo())
        .fail(Reply.handlerFailed(path, lost.cause()));
  }

  TurnLoop loop() {
    return loop;
  }

  MailboxMeter meter() {
    return meter;
  }

  /** Returns the notifier of new mail. */
  MailNotifier mail() {
    return mail;
  }

  /** Returns the number of the actor's stay on this node, of one life or more. */
  int stay() {
    return stay;
  }

  /**
   * Returns the taker of what a life sends itself, which any thread may call. What comes after its
   * stay here ends with that: another life here does not wait for it.
   */
  Consumer<Delivery> toSelf() {
    int of = stay;
    return own -> environment.node().onDurableContext(() -> toSelf(own, of));
  }

  private void toSelf(Delivery own, int of) {
    if (of != stay) {
      environment.actors().deadLetters().ended(path, own);
    } else if (loop.offer(own)) {
      goOn.run();
    } else {
      CallboardException full = CallboardException.mailboxFull(path, SelfMessages.MOST);
      own.lost(full);
      environment.actors().deadLetters().add(path, path, own.message(), full);
    }
  }

  /** Drops the actor's messages to itself; {@code forGood} if its stay on this node ends. */
  void loseOwn(boolean forGood, Throwable cause) {
    DeadLetters dead = environment.actors().deadLetters();
    loop.loseOwn(forGood).forEach(own -> dead.loseOwn(path, own, forGood, cause));
    stay += forGood ? 1 : 0;
  }

  /**
   * Loads the stored record and mail of the actor into the loop.
   *
   * @throws IllegalStateException if the record does not fit the actor's options
   */
  void load(Loaded loaded) {
    loop.loaded(loaded);
    meter.loaded(loop.record().next(), loaded.mail(), environment.node().clock().millis());
  }

  /** Reports a step of the loop that is being carried out. */
  void decided(TurnStep step) {
    mail.publish();
    if (!(step instanceof TurnStep.Wait)) {
      busy();
    }
  }

  /** Records that the actor is busy now. */
  void busy() {
    lastBusyNs = environment.node().nanoTime();
  }

  /** Returns the nanoseconds since the actor was last busy. */
  long idleNanos() {
    return environment.node().nanoTime() - lastBusyNs;
  }
}
