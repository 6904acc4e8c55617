package io.callboard.pollers.internal.poll;

import io.callboard.pollers.source.SourceMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Messages that are taken: by receipt, by id, and by the time at which something is due for them.
 */
final class TakenMessages {
  private static final int THIRDS = 3;

  private final Map<String, TakenMessage> byReceipt = new LinkedHashMap<>();
  private final Map<String, List<TakenMessage>> byId = new HashMap<>();
  private final Map<Line, Deque<TakenMessage>> due = new EnumMap<>(Line.class);
  private final TreeSet<Due> later = new TreeSet<>(Due.FIRST);
  private final TreeSet<Due> leases = new TreeSet<>(Due.FIRST);

  private @Nullable Duration lease;
  private long numbers;
  private long bytes;

  /** Line of messages for which the same call is to be made, in order. */
  enum Line {
    /** Line of messages that are submitted, or asked for. */
    SUBMIT,
    /** Line of messages that are acknowledged in batches. */
    COMPLETE,
    /** Line of messages that are given back in batches. */
    RELEASE,
    /** Line of messages that are treated one by one. */
    SINGLE;

    static Line of(TakenMessage.Stage stage) {
      return switch (stage) {
        case READY, SUBMITTING, RUNNING -> SUBMIT;
        case COMPLETING -> COMPLETE;
        case RELEASING -> RELEASE;
        case EMITTING, FAILING, DYING -> SINGLE;
      };
    }
  }

  /** Time of a message. */
  private record Due(Instant at, TakenMessage of) {
    static final Comparator<Due> FIRST =
        Comparator.comparing(Due::at).thenComparing(each -> each.of().number);
  }

  TakenMessages() {
    for (Line line : Line.values()) {
      due.put(line, new ArrayDeque<>());
    }
  }

  int size() {
    return byReceipt.size();
  }

  /** Returns the number of bytes of all messages. */
  long bytes() {
    return bytes;
  }

  /** Returns the number of pending deadlines. */
  int times() {
    return later.size() + leases.size();
  }

  Collection<TakenMessage> all() {
    return List.copyOf(byReceipt.values());
  }

  @Nullable TakenMessage find(String receipt) {
    return byReceipt.get(receipt);
  }

  List<TakenMessage> ofId(String id) {
    return List.copyOf(byId.getOrDefault(id, List.of()));
  }

  /** Adds a message; returns null if it is held already. */
  @Nullable TakenMessage add(SourceMessage message, Instant now) {
    TakenMessage made = new TakenMessage(message, ++numbers, now);
    if (byReceipt.putIfAbsent(message.receipt(), made) != null) {
      return null;
    }
    bytes += made.bytes();
    byId.computeIfAbsent(message.id(), id -> new ArrayList<>(1)).add(made);
    schedule(made, now);
    return made;
  }

  void remove(TakenMessage held) {
    if (held.gone) {
      return;
    }
    held.gone = true;
    bytes -= held.bytes();
    unschedule(held);
    noLease(held);
    byReceipt.remove(held.receipt());
    List<TakenMessage> same = byId.get(held.message.id());
    if (same != null) {
      same.remove(held);
      if (same.isEmpty()) {
        byId.remove(held.message.id());
      }
    }
  }

  void clear() {
    all().forEach(this::remove);
    due.values().forEach(Deque::clear);
    later.clear();
    leases.clear();
  }

  /** Puts a message in line for what is due for it at its time. */
  void schedule(TakenMessage held, Instant now) {
    unschedule(held);
    if (held.dueAt.isAfter(now)) {
      held.lineAt = held.dueAt;
      later.add(new Due(held.dueAt, held));
    } else {
      line(held).add(held);
    }
  }

  private void unschedule(TakenMessage held) {
    if (held.lineAt != null) {
      later.remove(new Due(held.lineAt, held));
      held.lineAt = null;
    }
  }

  private void noLease(TakenMessage held) {
    if (held.extendAt != null) {
      leases.remove(new Due(held.extendAt, held));
      held.extendAt = null;
    }
  }

  private Deque<TakenMessage> line(TakenMessage held) {
    return Objects.requireNonNull(due.get(Line.of(held.stage)));
  }

  /** Sets the lease, after which the source gives taken messages to others; null for none. */
  void lease(@Nullable Duration time) {
    lease = time;
  }

  /** Returns the lease; null for none. */
  @Nullable Duration lease() {
    return lease;
  }

  /** Schedules that a message is extended a third of its lease after {@code from}. */
  void extendAfter(TakenMessage held, Instant from) {
    if (lease != null) {
      extendAt(held, from.plus(lease.dividedBy(THIRDS)));
    }
  }

  void extendAt(TakenMessage held, Instant at) {
    noLease(held);
    held.extendAt = at;
    leases.add(new Due(at, held));
  }

  /** Moves messages that have become due to their lines. */
  void wake(Instant now) {
    while (!later.isEmpty() && !later.first().at().isAfter(now)) {
      TakenMessage its = later.first().of();
      unschedule(its);
      line(its).add(its);
    }
  }

  /** Takes the next message out of a line; null if nothing is due in it. */
  @Nullable TakenMessage next(Line line, Instant now) {
    Deque<TakenMessage> waiting = Objects.requireNonNull(due.get(line));
    while (!waiting.isEmpty()) {
      TakenMessage held = waiting.remove();
      boolean isDue = held.call == 0 && !held.dueAt.isAfter(now);
      if (!held.gone && isDue && Line.of(held.stage) == line) { // else it is in line elsewhere
        return held;
      }
    }
    return null;
  }

  /** Returns up to {@code most} messages whose lease is to be extended, and forgets their times. */
  List<TakenMessage> takeLeases(Instant now, int most) {
    List<TakenMessage> taken = new ArrayList<>();
    while (!leases.isEmpty() && !leases.first().at().isAfter(now) && taken.size() < most) {
      TakenMessage held = leases.first().of();
      noLease(held);
      taken.add(held);
    }
    return taken;
  }
}
