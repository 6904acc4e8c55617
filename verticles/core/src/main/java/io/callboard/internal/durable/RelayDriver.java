package io.callboard.internal.durable;

import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.DeliveryEntry;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.TimerEntry;
import io.callboard.delivery.Redelivery;
import io.callboard.feed.Feeds;
import io.callboard.internal.commit.CommitFailures;
import io.callboard.internal.commit.PendingUnit;
import io.callboard.internal.commit.PendingUnit.Result;
import io.callboard.internal.outbox.Outbox;
import io.callboard.internal.outbox.OutboxDeliveries;
import io.callboard.internal.outbox.OutboxDeliveries.Attempt;
import io.callboard.internal.outbox.OutboxDeliveries.GivenUp;
import io.callboard.internal.outbox.RelayMachine;
import io.callboard.internal.outbox.RelayMachine.Outcome;
import io.callboard.internal.turn.TurnLoop;
import io.callboard.internal.unit.CommitUnitBuilder;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitUnit;
import io.callboard.store.StoredOutbox;
import io.callboard.supervision.Causes;
import io.callboard.supervision.Failure;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carrier of the {@link RelayMachine} of one life of a durable actor. Every method is called on the
 * durable context.
 */
final class RelayDriver {
  private static final Logger log = LoggerFactory.getLogger(RelayDriver.class);
  private static final long LOG_EVERY_NANOS = Duration.ofSeconds(30).toNanos();

  private final DurableEnvironment environment;
  private final DurableTurns.Owner owner;
  private final TurnLoop loop;
  private final Outbox outbox;
  private final RelayMachine machine;
  private Consumer<GivenUp> givenUp = given -> {};
  private Listener listener = new Listener(count -> {}, (result, full) -> {}, null);
  private Future<Void> landing = Future.succeededFuture();
  private Time.@Nullable Alarm timer;
  private long loggedNanos;
  private boolean over;
  private boolean shown;

  /**
   * Listener for the outcome of the unit posted last.
   *
   * @param committed called with the number of its messages that were dropped
   * @param takenBack called if it finds no room for now and is dropped; null if it waits for room
   */
  record Listener(IntConsumer committed, Failed failed, @Nullable Runnable takenBack) {}

  /** Listener for a unit that was not committed. */
  @FunctionalInterface
  interface Failed {
    /**
     * @param full the receiver whose full mailbox refuses messages
     */
    void accept(Result result, Optional<ActorPath> full);
  }

  RelayDriver(
      DurableEnvironment environment,
      DurableTurns.Owner owner,
      TurnLoop loop,
      Redelivery redelivery) {
    this.environment = environment;
    this.owner = owner;
    this.loop = loop;
    OutboxDeliveries deliveries =
        new OutboxDeliveries(
            redelivery,
            CommitUnitBuilder::parked,
            environment.node().clock()::millis,
            environment.node().random());
    this.outbox = new Outbox(environment.node().clock()::millis, deliveries);
    this.machine =
        new RelayMachine(path(), outbox, loop::mayBeFull, environment.node()::pauseNanos);
  }

  /**
   * Loads the stored outbox.
   *
   * @throws io.callboard.codecs.CodecException if it cannot be read
   */
  void loaded(List<StoredOutbox> stored) {
    outbox.loaded("the outbox of " + path(), stored, environment.node().nanoTime());
  }

  /** Sets the listener for deliveries that were parked. */
  void onGivenUp(Consumer<GivenUp> parked) {
    givenUp = parked;
  }

  /** Submits nothing any more; a unit that waits for room is not committed. */
  void end() {
    over = true;
    showStuck();
    cancelTimer();
    if (machine.giveUp()) {
      String why = "the actor ended before the message was sent";
      listener.failed().accept(new Result.Failed(Reason.AGAIN, why), Optional.empty());
    }
  }

  /** Completes when no unit of this life is under way. */
  Future<Void> landing() {
    return landing;
  }

  /** Returns the timer of that number; empty if it was cancelled. */
  Optional<TimerEntry> timer(long number) {
    return outbox.timers().find(number);
  }

  /** Returns the number of the actor's durable timers. */
  int timers() {
    return outbox.timers().size();
  }

  /** Returns whether the outbox is empty. */
  boolean isEmpty() {
    return outbox.isEmpty();
  }

  /** Commits {@code unit}, before or after what is relayed. */
  void post(CommitUnit unit, Listener outcome) {
    long now = environment.node().nanoTime();
    machine.post(unit, now);
    listener = outcome;
    loggedNanos = now;
    goOn();
  }

  /** Submits what is due. */
  void goOn() {
    if (over) {
      return;
    }
    Optional<Outcome.Failed> refused = machine.refused();
    if (refused.isPresent()) {
      listener.failed().accept(refused.get().result(), refused.get().full());
      goOn(); // unless that has ended the life
      return;
    }
    long now = environment.node().nanoTime();
    CommitUnit unit;
    try {
      unit = machine.next(loop.record().under(owner.lease().epoch()), loop.version(), now);
    } catch (RuntimeException | Error e) {
      owner.crashed(Failure.Kind.COMMIT, e);
      return;
    }
    if (unit != null) {
      Promise<Void> landed = Promise.promise();
      landing = landed.future();
      environment
          .submit()
          .accept(
              new PendingUnit(
                  unit,
                  Optional.of(owner.lease()),
                  result -> {
                    try {
                      result(result);
                    } catch (RuntimeException | Error e) {
                      // what is stored counts: it begins anew with that
                      owner.crashed(Failure.Kind.COMMIT, e);
                    } finally {
                      landed.complete();
                    }
                  }));
      return;
    }
    cancelTimer();
    long wait = machine.waitNanos(now);
    if (wait >= 0) {
      timer = environment.node().after(Duration.ofNanos(wait), this::goOn);
    }
  }

  private void cancelTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  private void result(Result result) {
    Outcome outcome = machine.result(result, environment.node().nanoTime());
    showStuck();
    if (outcome instanceof Outcome.Posted posted) {
      posted.dropped().forEach(this::dropped);
      deliver();
      listener.committed().accept(posted.dropped().values().stream().mapToInt(List::size).sum());
    } else if (outcome instanceof Outcome.Failed failed) {
      listener.failed().accept(failed.result(), failed.full());
    } else if (outcome instanceof Outcome.NotRelayed notRelayed) {
      notRelayed(notRelayed.result());
      return;
    } else if (over) {
      end(); // it would be tried again
      return;
    } else if (outcome instanceof Outcome.Relayed) {
      loop.relayed();
      deliver();
    } else if (outcome instanceof Outcome.Stuck stuck) {
      logStuck(stuck);
    } else if (result instanceof Result.Full full) {
      logWait(full.receiver());
      Runnable takenBack = listener.takenBack();
      if (takenBack != null
          && machine.waitsForRoom(environment.node().nanoTime())
          && machine.giveUp()) {
        takenBack.run();
      }
    }
    goOn();
  }

  /** Sends the deliveries whose attempts are counted, and reports those that were parked. */
  private void deliver() {
    outbox.deliveries().takeAttempts().forEach(this::deliver);
    outbox.deliveries().takeGivenUp().forEach(givenUp);
  }

  /**
   * Sends one attempt; one that reaches nobody is not lost, for another follows, or the delivery is
   * parked with this cause.
   */
  private void deliver(Attempt attempt) {
    DeliveryEntry entry = attempt.entry();
    Future<Void> sent;
    try {
      sent = environment.actors().sender().deliver(entry.to(), entry.message());
    } catch (RuntimeException | Error e) {
      sent = Future.failedFuture(e); // of what decodes it, which is the receiver's
    }
    sent.onFailure(
        cause ->
            environment
                .node()
                .onDurableContext(
                    () -> outbox.deliveries().refused(attempt.number(), Causes.text(cause))));
  }

  /** Disposes of messages that a full mailbox drops ({@link io.callboard.store.WhenFull#DROP}). */
  private void dropped(ActorPath receiver, List<Envelope> mail) {
    CallboardException cause = CallboardException.mailboxFull(receiver);
    for (Envelope envelope : mail) {
      environment.blobs().forsake(receiver, envelope);
      environment.asks().replyTo(envelope.replyTo()).fail(cause);
      environment.actors().deadLetters().add(receiver, path(), envelope, cause);
    }
  }

  /**
   * Handles a refused relay: its messages are still in the outbox, and the next life relays them.
   */
  private void notRelayed(Result result) {
    if (over || !(result instanceof Result.Failed failed)) {
      return; // the life ends already, or the node does and the outcome is unknown
    }
    if (!CommitFailures.givesUp(environment::fenced, path(), failed)) {
      owner.crashed(
          Failure.Kind.COMMIT,
          CommitFailures.cause("a relayed message of the outbox of %s".formatted(path()), failed));
    }
  }

  /** Shows what waits for an operator. */
  private void showStuck() {
    Map<ActorPath, Outbox.Stuck> stuck = over ? Map.of() : outbox.stuck();
    if (shown || !stuck.isEmpty()) {
      environment.stuck().put(path(), stuck, environment.node().clock().instant());
      shown = !stuck.isEmpty();
    }
  }

  /** Logs that messages wait for an operator. */
  private void logStuck(Outcome.Stuck stuck) {
    log.error(
        "messages of {} to {} stay in its outbox and are tried again until they can leave; all "
            + "others go on. Repair the mailbox (callboard fsck names what is damaged), or grant "
            + "access to it: {}",
        path(),
        stuck.receiver(),
        stuck.why());
  }

  /** Logs a turn that has waited long for room. */
  private void logWait(ActorPath receiver) {
    long now = environment.node().nanoTime();
    environment.meter().heldBack();
    if (now - loggedNanos >= LOG_EVERY_NANOS) {
      loggedNanos = now;
      log.warn(
          "a turn of {} has waited for room in the mailbox of {} for {} s{}",
          path(),
          receiver,
          machine.waitedNanos(now) / 1_000_000_000L,
          why(receiver));
    }
  }

  /**
   * Returns the cause for which the receiver's mailbox is full, as far as it is known here, as an
   * appendix to a message; empty if it is not.
   */
  private String why(ActorPath receiver) {
    if (Feeds.isFeed(receiver)) {
      return "; it is a feed: its database or one of its subscribers is slow or "
          + "cannot be reached";
    }
    return loop.mayBeFull()
        ? "; the sender's own mailbox may be full too and its outbox holds %d messages: the two actors may wait for each other"
            .formatted(outbox.size())
        : "";
  }

  private ActorPath path() {
    return owner.self().path();
  }
}
