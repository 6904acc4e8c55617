package io.callboard.pollers.internal.poll;

import static io.callboard.pollers.internal.poll.PollerRehearsal.rule;

import io.callboard.pollers.source.SourceMessage;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Source of a rehearsal: at least once, with leases or without. */
final class RehearsedSource {
  private final @Nullable Duration lease;
  private final SplittableRandom random;
  private final boolean counts;
  private final Map<String, Item> items = new TreeMap<>();
  private final Map<String, String> idOf = new HashMap<>();
  private final Map<String, Delivery> taken = new HashMap<>();
  private long connections;
  private long open = -1;
  private long receipts;
  private @Nullable Instant calmSince;

  /** Message of the source. */
  private static final class Item {
    final String id;
    @Nullable Instant availableAt;
    boolean completed;
    boolean dead;
    boolean sent;
    int failures;

    Item(String id, Instant at) {
      this.id = id;
      this.availableAt = at;
    }

    boolean isDone() {
      return completed || dead;
    }

    @Override
    public String toString() {
      return completed ? "completed" : dead ? "dead" : "open " + availableAt;
    }
  }

  /** Delivery that is taken. */
  private record Delivery(Item item, long connection, Instant since, @Nullable Instant until) {}

  RehearsedSource(@Nullable Duration lease, SplittableRandom random) {
    this.lease = lease;
    this.random = random;
    this.counts = random.nextBoolean();
  }

  /** Returns one of its messages. */
  String any() {
    List<String> all = List.copyOf(items.keySet());
    return all.get(random.nextInt(all.size()));
  }

  void add(String id, Instant at) {
    items.put(id, new Item(id, at));
  }

  @Nullable Duration lease() {
    return lease;
  }

  Set<String> ids() {
    return items.keySet();
  }

  void calmSince(Instant now) {
    calmSince = now;
  }

  long open() {
    open = ++connections;
    return open;
  }

  /** Closes a connection; without leases, what it has taken is free. */
  void close(long connection) {
    if (open == connection) {
      open = -1;
    }
    if (lease == null) {
      taken
          .values()
          .removeIf(
              each -> {
                boolean its = each.connection() == connection;
                if (its) {
                  free(each.item(), Instant.EPOCH);
                }
                return its;
              });
    }
  }

  private static void free(Item item, Instant at) {
    if (!item.isDone() && (item.availableAt == null || item.availableAt.isAfter(at))) {
      item.availableAt = at;
    }
  }

  /**
   * Ends leases; none of a poller that could extend it.
   *
   * @param isHeld whether the poller lives
   */
  void tick(Instant now, boolean isHeld) {
    for (Map.Entry<String, Delivery> each : List.copyOf(taken.entrySet())) {
      Delivery its = each.getValue();
      if (its.until() != null && its.until().isBefore(now)) {
        taken.remove(each.getKey());
        free(its.item(), now);
        boolean couldExtend =
            isHeld
                && calmSince != null
                && its.since().isAfter(calmSince)
                && its.connection() == open;
        rule(
            !couldExtend || its.item().isDone(),
            "P4: the lease of %s ran out while it was held",
            its.item().id);
      }
    }
  }

  /** A message comes once more, as if an acknowledgement or a lease had been lost. */
  void deliverAgain() {
    List<Item> all = List.copyOf(items.values());
    Item item = all.get(random.nextInt(all.size()));
    if (!item.dead) {
      item.completed = false;
      item.availableAt = Instant.EPOCH;
    }
  }

  @Nullable List<SourceMessage> poll(long connection, int most, Instant now) {
    if (connection != open) {
      return null;
    }
    List<SourceMessage> found = new ArrayList<>();
    for (Item item : items.values()) {
      boolean isFree = !item.isDone() && item.availableAt != null && !item.availableAt.isAfter(now);
      if (isFree && found.size() < most) {
        item.availableAt = null;
        String receipt = "r" + ++receipts;
        idOf.put(receipt, item.id);
        Instant until = lease == null ? null : now.plus(lease);
        taken.put(receipt, new Delivery(item, connection, now, until));
        found.add(
            new SourceMessage(
                item.id,
                receipt,
                Buffer.buffer(),
                Map.of(),
                0,
                null,
                counts ? item.failures : SourceMessage.UNCOUNTED));
      }
    }
    return found;
  }

  String idOf(String receipt) {
    return idOf.getOrDefault(receipt, "");
  }

  @Nullable Set<String> extend(long connection, List<String> which, Instant now) {
    if (connection != open) {
      return null;
    }
    Set<String> lost = new HashSet<>();
    for (String receipt : which) {
      Delivery its = taken.get(receipt);
      if (its == null || its.item().isDone()) {
        lost.add(receipt);
      } else if (lease != null) {
        taken.put(receipt, new Delivery(its.item(), connection, its.since(), now.plus(lease)));
      }
    }
    return lost;
  }

  boolean complete(long connection, List<String> which) {
    if (connection != open) {
      return false;
    }
    for (String receipt : which) {
      Delivery its = taken.remove(receipt);
      if (its != null) {
        its.item().completed = true;
        its.item().availableAt = null;
      }
    }
    return true;
  }

  boolean release(long connection, List<String> which, Instant now) {
    if (connection != open) {
      return false;
    }
    which.forEach(receipt -> back(receipt, now));
    return true;
  }

  boolean fail(long connection, String receipt, Instant at) {
    if (connection != open) {
      return false;
    }
    Delivery its = taken.get(receipt);
    if (its != null) {
      its.item().failures++;
    }
    back(receipt, at);
    return true;
  }

  private void back(String receipt, Instant at) {
    Delivery its = taken.remove(receipt);
    if (its != null) {
      free(its.item(), at);
    }
  }

  boolean dead(long connection, String receipt) {
    if (connection != open) {
      return false;
    }
    Delivery its = taken.remove(receipt);
    if (its != null) {
      its.item().dead = true;
    }
    return true;
  }

  boolean emit(long connection, String id) {
    if (connection != open) {
      return false;
    }
    item(id).sent = true;
    return true;
  }

  private Item item(String id) {
    Item found = items.get(id);
    if (found == null) {
      throw new IllegalArgumentException("there is no message " + id);
    }
    return found;
  }

  boolean isSent(String id) {
    return item(id).sent;
  }

  boolean isCompleted(String id) {
    return item(id).completed;
  }

  boolean isDone() {
    return items.values().stream().allMatch(Item::isDone);
  }

  @Override
  public String toString() {
    return items + ", taken " + taken.keySet();
  }
}
