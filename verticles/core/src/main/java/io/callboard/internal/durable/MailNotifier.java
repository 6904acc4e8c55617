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
 * Carries the {@code Doorbell} of one durable actor: tells it of new mail, over all lives of the
 * actor. Every method is called on the durable context.
 */
public final class MailNotifier {
  /** How long a push is awaited, where pushes come, before the mail is read. */
  private static final long PUSH_WAIT_NANOS = 5_000_000;

  private final NodeContext node;
  private final Store store;
  private final ActorPath actor;
  private final TurnLoop loop;
  private final MailboxMeter meter;
  private final UnaryOperator<List<Envelope>> readable;
  private final Runnable goOn;

  /**
   * @param readable what of it the actor can take from memory
   * @param goOn called when the loop may have something new to decide
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

  /** There may be mail, in that segment. */
  public void hint(long sequence) {
    arrived(sequence);
    if (loop.doorbell().hint(sequence)) {
      goOn.run();
    }
  }

  /** The same, but a commit under way will tell. */
  public void expect(long sequence) {
    arrived(sequence);
    loop.doorbell().expect(sequence);
  }

  /** This node has put mail into the mailbox. */
  public void delivered(long sequence, List<Envelope> mail) {
    arrived(sequence);
    loop.doorbell().delivered(sequence, readable.apply(mail));
    goOn.run();
  }

  /**
   * Another node says that it has put mail into the mailbox.
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

  /** The store tells of mail, in that segment, which another node may push. */
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

  /** What the meter says is as it is now. */
  void publish() {
    meter.publish(loop.queued(), loop.unread(), loop.attempts());
  }
}
