package io.callboard.internal.outbox;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.DeliveryEntry;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.ParkedDelivery;
import io.callboard.delivery.Redelivery;
import io.callboard.internal.mailbox.Envelopes;
import io.callboard.internal.messaging.MessageSender;
import io.callboard.internal.turn.OutboxEntryChange;
import io.callboard.internal.turn.Turn;
import io.callboard.store.Limits;
import io.callboard.store.Loaded;
import io.callboard.store.StoredOutbox;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Deliveries of one actor that are not confirmed yet, as of the messages handled so far. Changes to
 * them are part of the turn; {@link io.callboard.internal.outbox.OutboxDeliveries} sends the
 * durable ones. Used on the actor's context.
 */
public final class ActorDeliveries {
  /** Limit of an actor's unconfirmed deliveries. */
  static final int MOST = 1_000;

  /** Limit of their bytes, about. */
  static final long MOST_BYTES = 4 << 20;

  private final ActorRef<?> actor;
  private final OutboxEntryIds numbers;
  private final Redelivery policy;
  private final LongSupplier nowMs;
  private final RandomGenerator random;
  private final Map<Long, DeliveryEntry> open = new HashMap<>(0);
  private long bytes;

  /**
   * @param nowMs the wall clock
   * @throws io.callboard.codecs.CodecException if one cannot be read
   */
  public ActorDeliveries(
      ActorRef<?> actor,
      Loaded loaded,
      OutboxEntryIds numbers,
      Redelivery policy,
      LongSupplier nowMs,
      RandomGenerator random) {
    this.actor = actor;
    this.numbers = numbers;
    this.policy = policy;
    this.nowMs = nowMs;
    this.random = random;
    for (StoredOutbox stored : loaded.outbox()) {
      if (DeliveryEntry.is(stored.bytes())) {
        String what = "delivery %d of %s".formatted(stored.number(), actor.path());
        put(stored.number(), DeliveryEntry.decode(what, stored.bytes()));
      }
    }
  }

  private void put(long number, DeliveryEntry entry) {
    open.put(number, entry);
    bytes += entry.message().size();
  }

  private boolean take(long number) {
    DeliveryEntry gone = open.remove(number);
    bytes -= gone == null ? 0 : gone.message().size();
    return gone != null;
  }

  /**
   * Begins a delivery with the turn.
   *
   * @return its id
   * @throws IllegalArgumentException if the receiver is durable
   * @throws CallboardException {@code PAYLOAD_TOO_LARGE} or {@code BAD_MESSAGE}
   * @throws IllegalStateException if there are too many
   */
  public <T> long deliver(Turn turn, ActorRef<T> to, LongFunction<? extends T> message) {
    if (to.durable()) {
      throw new IllegalArgumentException(
          "%s is durable: tell it the message, which has its effect exactly once".formatted(to));
    }
    long number = numbers.next();
    Object made = message.apply(number);
    MessageSender.requireMessage(to.path(), made);
    String sender = actor.path() + "~" + number;
    Envelope envelope = Envelopes.of(new MessageId(sender, 1), to.path(), made, actor.address());
    if (envelope.bytes() > Limits.INLINE_BYTES) {
      throw CallboardException.tooLarge(
          "the delivery of %s to %s".formatted(actor.path(), to.path()),
          envelope.bytes(),
          Limits.INLINE_BYTES);
    }
    begin(turn, number, to.path(), stored(envelope).with(turn.trace()));
    return number;
  }

  /**
   * Returns the envelope without its object, so that what is sent equals what would be sent after a
   * restart.
   */
  private static Envelope stored(Envelope envelope) {
    return new Envelope(envelope.id(), envelope.type(), envelope.body(), envelope.replyTo());
  }

  private void begin(Turn turn, long number, ActorPath to, Envelope message) {
    if (open.size() >= MOST || bytes + message.size() > MOST_BYTES) {
      throw new IllegalStateException(
          "%s has %d unconfirmed deliveries of %d bytes; the limit is %d deliveries and %d bytes"
              .formatted(actor.path(), open.size(), bytes, MOST, MOST_BYTES));
    }
    long due = nowMs.getAsLong() + policy.delay(1, random).toMillis();
    DeliveryEntry entry = new DeliveryEntry(to, 1, due, message);
    put(number, entry);
    turn.entry(new OutboxEntryChange(number, entry, true));
  }

  /**
   * Ends a delivery with the turn.
   *
   * @return whether there was one
   */
  public boolean confirm(Turn turn, long number) {
    boolean confirmed = take(number);
    if (confirmed) {
      turn.entry(new OutboxEntryChange(number, null, false));
    }
    return confirmed;
  }

  /**
   * Begins a parked delivery again, under its number, with all its attempts.
   *
   * @throws IllegalStateException if there are too many
   */
  public void again(Turn turn, ParkedDelivery parked) {
    if (!open.containsKey(parked.number())) {
      begin(turn, parked.number(), parked.to(), parked.message());
    }
  }

  /** Removes a delivery that was parked. */
  public void parked(long number) {
    boolean unused = take(number);
  }

  /** Returns the number of unconfirmed deliveries. */
  public int size() {
    return open.size();
  }

  /** Ends all deliveries with the turn, for nobody is left to confirm them. */
  public List<DeliveryEntry> cancelAll(Turn turn) {
    List<DeliveryEntry> lost = List.copyOf(open.values());
    open.keySet().forEach(number -> turn.entry(new OutboxEntryChange(number, null, false)));
    open.clear();
    bytes = 0;
    return lost;
  }
}
