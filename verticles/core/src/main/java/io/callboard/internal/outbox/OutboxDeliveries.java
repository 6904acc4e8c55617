package io.callboard.internal.outbox;

import io.callboard.codecs.DeliveryEntry;
import io.callboard.delivery.Redelivery;
import io.callboard.store.OutboxChange;
import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Unconfirmed deliveries of one actor, which are entries of its outbox. An attempt is counted in
 * the store before it is made, so that a restart does not make more of them than allowed. A
 * delivery not confirmed after the last attempt is parked. A machine without I/O. Not thread-safe.
 */
@Machine
public final class OutboxDeliveries {
  /** Limit of the deliveries that one relay serves. */
  private static final int AT_ONCE = 64;

  /** Most bytes of an entry besides its message, with its operations. */
  private static final int ENTRY_BYTES = 6_000;

  private final Redelivery policy;
  private final Parking parking;
  private final LongSupplier nowMs;
  private final RandomGenerator random;
  private final Map<Long, Open> open = new HashMap<>();
  private final NavigableSet<Open> waiting =
      new TreeSet<>(
          Comparator.<Open>comparingLong(each -> each.dueNanos)
              .thenComparingLong(each -> each.number));
  private final Set<Long> parkedHere = new HashSet<>();
  private List<Attempt> attempts = new ArrayList<>();
  private List<GivenUp> givenUp = new ArrayList<>();

  private static final class Open {
    private final long number;
    private final DeliveryEntry entry;
    private final long dueNanos;
    private @Nullable String refused;

    private Open(long number, DeliveryEntry entry, long dueNanos, @Nullable String refused) {
      this.number = number;
      this.entry = entry;
      this.dueNanos = dueNanos;
      this.refused = refused;
    }
  }

  /** Attempt to be made now; it is counted already. */
  public record Attempt(long number, DeliveryEntry entry) {}

  /**
   * Delivery that ends unconfirmed, once that is durable.
   *
   * @param why how many attempts there were, and how the last one ended
   */
  public record GivenUp(long number, DeliveryEntry entry, String why) {
    /** Returns the id among the parked messages of the actor. */
    public String id() {
      return parkedId(number);
    }
  }

  /**
   * @param nowMs the wall clock, by which the next attempt is due across restarts
   */
  public OutboxDeliveries(
      Redelivery policy, Parking parking, LongSupplier nowMs, RandomGenerator random) {
    this.policy = policy;
    this.parking = parking;
    this.nowMs = nowMs;
    this.random = random;
  }

  void clear() {
    open.clear();
    waiting.clear();
    parkedHere.clear();
    attempts = new ArrayList<>();
    givenUp = new ArrayList<>();
  }

  /** Loads a delivery stored by an earlier life. */
  void loaded(String label, long number, byte[] bytes, long nowNanos) {
    DeliveryEntry entry = decode(label, number, bytes);
    long wait = TimeUnit.MILLISECONDS.toNanos(Math.max(0, entry.dueMs() - nowMs.getAsLong()));
    put(new Open(number, entry, nowNanos + Math.min(wait, Long.MAX_VALUE / 4), null));
  }

  /** Adds a delivery whose turn is durable; its first attempt is due. */
  void made(String label, long number, byte[] bytes, long nowNanos) {
    DeliveryEntry entry = decode(label, number, bytes);
    long wait = policy.delay(entry.attempts(), random).toNanos();
    boolean unused = parkedHere.remove(number);
    put(new Open(number, entry, nowNanos + wait, null));
    attempts.add(new Attempt(number, entry));
  }

  private static DeliveryEntry decode(String label, long number, byte[] bytes) {
    return DeliveryEntry.decode("delivery %d of %s".formatted(number, label), bytes);
  }

  private void put(Open each) {
    remove(each.number);
    open.put(each.number, each);
    waiting.add(each);
  }

  /** Holds a delivery while the turn that ends it waits to be committed: no attempt is due. */
  void hold(long number) {
    Open held = open.get(number);
    if (held != null) {
      waiting.remove(held);
    }
  }

  /**
   * Returns the id among the parked messages of a delivery given up in this life; empty if there is
   * none.
   */
  Optional<String> parked(long number) {
    return parkedHere.contains(number) ? Optional.of(parkedId(number)) : Optional.empty();
  }

  private static String parkedId(long number) {
    return "delivery-" + number;
  }

  /** Removes a delivery: it is confirmed, or its actor has deleted itself. */
  void remove(long number) {
    boolean unused = parkedHere.remove(number);
    Open gone = open.remove(number);
    if (gone != null) {
      waiting.remove(gone);
    }
  }

  /** Returns whether the delivery is neither confirmed nor parked. */
  boolean isOpen(long number) {
    return open.containsKey(number);
  }

  /** Returns the number of the deliveries that are neither confirmed nor parked. */
  public int size() {
    return open.size();
  }

  /** Records the failure of an attempt that reached nobody. */
  public void refused(long number, String why) {
    Open refused = open.get(number);
    if (refused != null) {
      refused.refused = why;
    }
  }

  /**
   * Counts the attempts that are due, and parks deliveries that have had their last one.
   *
   * @param room bytes that the entries may take, which are written again; one is taken in any case
   */
  Outbox.@Nullable Relay next(long nowNanos, long room) {
    Map<Long, byte[]> kept = new LinkedHashMap<>();
    Map<String, byte[]> parked = new LinkedHashMap<>();
    List<Open> again = new ArrayList<>();
    List<GivenUp> over = new ArrayList<>();
    long left = room;
    for (Open each : waiting) {
      left -= ENTRY_BYTES + each.entry.message().size();
      int taken = again.size() + over.size();
      boolean enough = taken >= AT_ONCE || (taken > 0 && left < 0);
      if (each.dueNanos - nowNanos > 0 || enough) {
        break;
      } else if (each.entry.attempts() >= policy.attempts()) {
        GivenUp gone = new GivenUp(each.number, each.entry, why(each));
        parked.put(gone.id(), parking.content(gone));
        over.add(gone);
      } else {
        Open next = again(each, nowNanos);
        kept.put(each.number, next.entry.encode());
        again.add(next);
      }
    }
    if (again.isEmpty() && over.isEmpty()) {
      return null;
    }
    List<Long> gone = over.stream().map(GivenUp::number).toList();
    OutboxChange change = new OutboxChange(Map.of(), kept, gone);
    return new Outbox.Relay(Map.of(), change, parked, () -> counted(again, over));
  }

  private Open again(Open each, long nowNanos) {
    long wait = policy.delay(each.entry.attempts() + 1, random).toNanos();
    long dueMs = nowMs.getAsLong() + TimeUnit.NANOSECONDS.toMillis(wait);
    return new Open(each.number, each.entry.again(dueMs), nowNanos + wait, each.refused);
  }

  private static String why(Open each) {
    String last = each.refused == null ? "no confirmation came" : each.refused;
    return "not confirmed by %s after %d attempts, the last one: %s"
        .formatted(each.entry.to(), each.entry.attempts(), last);
  }

  private void counted(List<Open> again, List<GivenUp> over) {
    for (Open each : again) {
      each.refused = null;
      put(each);
      attempts.add(new Attempt(each.number, each.entry));
    }
    for (GivenUp gone : over) {
      remove(gone.number());
      givenUp.add(gone);
      parkedHere.add(gone.number());
    }
  }

  /** Port that encodes a delivery that is given up as a parked message. */
  @FunctionalInterface
  public interface Parking {
    byte[] content(GivenUp given);
  }

  /** Removes the attempts to be made now. */
  public List<Attempt> takeAttempts() {
    List<Attempt> taken = attempts;
    attempts = new ArrayList<>();
    return taken;
  }

  /** Removes the deliveries that have just been parked. */
  public List<GivenUp> takeGivenUp() {
    List<GivenUp> taken = givenUp;
    givenUp = new ArrayList<>();
    return taken;
  }

  /** Returns the nanoseconds until something is due, at least 0; negative for never. */
  long waitNanos(long nowNanos) {
    return waiting.isEmpty() ? -1 : Math.max(0, waiting.first().dueNanos - nowNanos);
  }
}
