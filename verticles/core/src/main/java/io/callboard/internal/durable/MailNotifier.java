package io.callboard.internal.durable;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.metrics.MailboxMeter;
import io.callboard.internal.turn.TurnLoop;
import io.callboard.store.Store;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Carrier of the {@code Doorbell} of one durable actor: reports new mail to its turn loop, over all
 * lives of the actor. Every method is called on the durable context.
 */
public final class MailNotifier {
  /** Nanoseconds for which a push is awaited before the mail is read, where pushes come. */
  private static final long PUSH_WAIT_NANOS = 5_000_000;

  private final NodeContext node;
  private final Store store;
  private final ActorPath actor;
  private final TurnLoop loop;
  private final MailboxMeter meter;
  private final UnaryOperator<List<Envelope>> readable;
  private final Runnable goOn;

  /**
   * @param readable the part of new mail that the actor can take from memory
   * @param goOn called when the loop may have a new decision to make
   */
  MailNotifier(
      NodeContext node,
      Store store,
      ActorPath actor,
      TurnLoop loop,
      MailboxMeter meter,
      UnaryOperator<List<Envelope>> readable,
      Runnable goOn) {
    this.node = node;
    this.store = store;
    this.actor = actor;
    this.loop = loop;
    this.meter = meter;
    this.readable = readable;
    this.goOn = goOn;
  }

  /** Takes a hint that there may be mail in that segment. */
  public void hint(long sequence) {
    arrived(sequence);
    if (loop.doorbell().hint(sequence)) {
      goOn.run();
    }
  }

  /** Takes a hint of mail that a commit under way will report. */
  public void expect(long sequence) {
    arrived(sequence);
    loop.doorbell().expect(sequence);
  }

  /** Reports mail that this node has put into the mailbox. */
  public void delivered(long sequence, List<Envelope> mail) {
    arrived(sequence);
    loop.doorbell().delivered(sequence, readable.apply(mail));
    goOn.run();
  }

  /**
   * Reports mail that another node says it has put into the mailbox.
   *
   * @param bytes of the segment as it is stored
   */
  public void pushed(long sequence, List<Envelope> mail, int bytes) {
    if (loop.doorbell().pushed(sequence, mail)) {
      arrived(sequence);
      store.known(actor, sequence, mail.size(), bytes);
    }
    goOn.run();
  }

  /** Reports mail of which the store has notified this node, and which another node may push. */
  public void foretold(long sequence) {
    arrived(sequence);
    if (loop.doorbell().foretold(sequence)) {
      node.later(PUSH_WAIT_NANOS, this::waited);
    }
    goOn.run();
  }

  private void waited() {
    if (loop.doorbell().waited()) {
      node.later(PUSH_WAIT_NANOS, this::waited);
    }
    goOn.run();
  }

  private void arrived(long sequence) {
    meter.arrived(sequence, node.clock().millis());
    publish();
  }

  /** Publishes the present figures of the meter. */
  void publish() {
    meter.publish(loop.queued(), loop.unread(), loop.attempts());
  }
}
