package io.callboard.internal.turn;

import io.callboard.internal.readahead.MailboxMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns of one actor that commit together. Not thread-safe. */
public final class Batch {
  /** Limit of the messages that commit together. */
  static final int MOST = 512;

  /**
   * Bytes sent by the turns of a batch, or of their events, after which it takes no further
   * message.
   */
  public static final int BYTES = 128 << 10;

  /**
   * Nanoseconds for which handled messages may wait for more turns to commit with, if handlers are
   * slow: the answers of an exactly-once actor wait as long, and a crash of an at-least-once one
   * repeats as much. As long as the last commit took, if that is more.
   */
  static final long COMMIT_AFTER_NANOS = 10_000_000;

  /** Upper bound of that time, however long commits take. */
  static final long MOST_AFTER_NANOS = 100_000_000;

  private final List<HandledMessage> turns = new ArrayList<>();
  private long bytes;
  private long beganNanos;
  private long afterNanos = COMMIT_AFTER_NANOS;
  private int consumed;
  private int operations;
  private int direct;
  private boolean lasts;
  private boolean sends;
  private boolean deletes;

  void add(HandledMessage handled, long nowNanos) {
    if (turns.isEmpty()) {
      beganNanos = nowNanos;
    }
    turns.add(handled);
    bytes += handled.turn().bytes();
    deletes |= handled.turn().deletes();
    sends |= !handled.turn().outgoing().isEmpty() || !handled.turn().entries().isEmpty();
    lasts |= !handled.turn().enlisted().isEmpty() || handled.turn().hasLarge();
    direct += handled.direct() == null ? 0 : 1;
    MailboxMessage mailboxMessage = handled.input();
    if (mailboxMessage != null) {
      consumed++;
      operations += mailboxMessage.operations();
    }
  }

  /**
   * Takes the nanoseconds that the last commit of the actor took, with its wait for room in other
   * mailboxes. If commits are slow, as on a busy node, a batch that waited for {@link
   * #COMMIT_AFTER_NANOS} only would hold few turns, and the actor would handle few messages for
   * each commit: fewer than arrive, and its mailbox would fill.
   */
  void commitTook(long nanos) {
    afterNanos = Math.max(COMMIT_AFTER_NANOS, Math.min(nanos, MOST_AFTER_NANOS));
  }

  /** Returns the nanoseconds until the batch commits in any case; zero or less if it is time. */
  long remainingNanos(long nowNanos) {
    return afterNanos - (nowNanos - beganNanos);
  }

  /**
   * Returns whether the batch takes no further turn. Slow handlers do not hold up the turns before
   * them.
   */
  boolean isDue(int most, long nowNanos) {
    return turns.size() >= most
        || bytes >= BYTES
        || operations >= MOST
        || deletes
        || (!turns.isEmpty() && remainingNanos(nowNanos) <= 0);
  }

  /** Takes over the turns of {@code other}, which is empty then. */
  void take(Batch other) {
    turns.addAll(other.turns);
    bytes += other.bytes;
    beganNanos = other.beganNanos;
    consumed += other.consumed;
    operations += other.operations;
    sends |= other.sends;
    deletes |= other.deletes;
    direct += other.direct;
    lasts |= other.lasts;
    other.clear();
  }

  /**
   * Returns whether more may be handled while it commits: each turn allows that, or changes nothing
   * durable.
   */
  boolean goesOn() {
    return !turns.isEmpty()
        && !deletes
        && turns.stream().allMatch(handled -> handled.turn().goesOn());
  }

  /**
   * Takes the bypass messages whose places in the mailbox are known as mail of the mailbox.
   *
   * @return these messages
   */
  List<BypassMessage> place() {
    List<BypassMessage> placed = new ArrayList<>();
    for (int i = 0; i < turns.size(); i++) {
      BypassMessage message = turns.get(i).direct();
      MailboxMessage place = message == null ? null : message.place();
      if (place != null) {
        turns.set(i, HandledMessage.stored(place, turns.get(i).turn()));
        consumed++;
        operations += place.operations();
        placed.add(message);
        direct--;
      }
    }
    return placed;
  }

  /** Returns whether the batch holds messages that are in no mailbox. */
  boolean hasDirect() {
    return direct > 0;
  }

  /** Returns whether the batch needs more than its commit, which may take long. */
  boolean lasts() {
    return lasts;
  }

  /** Returns the number of messages without the actor's own. */
  int mail() {
    return (int) turns.stream().filter(handled -> !handled.isOwn()).count();
  }

  List<HandledMessage> turns() {
    return List.copyOf(turns);
  }

  int size() {
    return turns.size();
  }

  boolean isEmpty() {
    return turns.isEmpty();
  }

  /** Returns the message of the mailbox that it consumes, if that is its only turn; else null. */
  @Nullable MailboxMessage only() {
    return turns.size() == 1 ? turns.get(0).input() : null;
  }

  /** Returns the message that is in no mailbox, if that is its only turn; else null. */
  @Nullable BypassMessage onlyDirect() {
    return turns.size() == 1 ? turns.get(0).direct() : null;
  }

  /**
   * Returns whether others wait for the batch: its turns send durable messages, start timers or
   * deliver.
   */
  boolean sends() {
    return sends;
  }

  /** Returns the number of messages of the mailbox that it consumes. */
  int consumed() {
    return consumed;
  }

  /** Returns the number of operations of a commit that consumes them. */
  int operations() {
    return operations;
  }

  void clear() {
    turns.clear();
    bytes = 0;
    consumed = 0;
    operations = 0;
    direct = 0;
    lasts = false;
    sends = false;
    deletes = false;
  }
}
