package io.callboard.pollers.feed;

import io.callboard.pollers.source.SourceMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Entries of a feed that wait or are taken, and what is known of the others. Has no I/O. */
final class FeedQueue {
  /** Days after which an id is forgotten that the feed does not show. */
  static final long FORGET_DAYS = 30;

  /** Number of ids after which those are forgotten that the feed has not shown for longest. */
  static final int MOST_KNOWN = 50_000;

  private final String client;
  private final Map<String, Item> waiting = new LinkedHashMap<>();
  private final Map<String, Item> taken = new HashMap<>();

  /** What the memory has, by id. */
  private final Map<String, Known> known = new HashMap<>();

  private long numbers;

  FeedQueue(String client) {
    this.client = client;
  }

  /** Entry that is not completed. */
  private static final class Item {
    private final FeedItem entry;
    private int deliveries;
    private long dueNanos;

    Item(FeedItem entry, long nowNanos) {
      this.entry = entry;
      this.dueNanos = nowNanos;
    }
  }

  /**
   * What is known of an entry that was completed or set aside.
   *
   * @param day day of the epoch on which the feed has shown it last
   * @param cause why it was set aside; null if it was completed
   */
  record Known(long day, @Nullable String cause) {
    private static final String DONE = "done";

    /** Reads what {@link #toString} has written; an unknown text counts as completed. */
    static Known of(String text, long today) {
      String[] parts = text.split(" ", 3);
      try {
        long day = Long.parseLong(parts.length > 1 ? parts[1] : "");
        return new Known(day, parts[0].equals(DONE) || parts.length < 3 ? null : parts[2]);
      } catch (NumberFormatException e) {
        return new Known(today, null);
      }
    }

    Known on(long today) {
      return new Known(today, cause);
    }

    @Override
    public String toString() {
      return cause == null ? DONE + " " + day : "dead %d %s".formatted(day, cause);
    }
  }

  /** Change of the memory. */
  record Change(Map<String, String> puts, Set<String> removed) {
    boolean isEmpty() {
      return puts.isEmpty() && removed.isEmpty();
    }
  }

  /** Begins with what the memory has. */
  void remember(Map<String, String> memory, long today) {
    memory.forEach((id, text) -> known.put(id, Known.of(text, today)));
  }

  /**
   * Takes in what the feed shows.
   *
   * @return what the memory is to know about it
   */
  Change offer(List<FeedItem> entries, long nowNanos, long today) {
    Set<String> open = new HashSet<>();
    taken.values().forEach(item -> open.add(item.entry.id()));
    Change change = new Change(new HashMap<>(), new HashSet<>());
    for (FeedItem entry : entries) {
      Known before = known.get(entry.id());
      if (before == null && !open.contains(entry.id())) {
        waiting.putIfAbsent(entry.id(), new Item(entry, nowNanos));
      } else if (before != null && before.day() < today) {
        know(change, entry.id(), before.on(today));
      }
    }
    forget(change, today);
    return change;
  }

  private void know(Change change, String id, Known what) {
    known.put(id, what);
    change.puts().put(id, what.toString());
  }

  private void forget(Change change, long today) {
    int tooMany = known.size() - MOST_KNOWN;
    List<String> gone = new ArrayList<>();
    known.forEach(
        (id, what) -> {
          if (what.day() + FORGET_DAYS < today) {
            gone.add(id);
          }
        });
    if (gone.size() < tooMany) {
      gone.clear();
      known.entrySet().stream()
          .sorted(Comparator.comparingLong(each -> each.getValue().day()))
          .limit(tooMany)
          .forEach(each -> gone.add(each.getKey()));
    }
    gone.forEach(known::remove);
    gone.forEach(change.puts()::remove);
    change.removed().addAll(gone);
  }

  /** Returns how many entries wait. */
  int waiting() {
    return waiting.size();
  }

  List<SourceMessage> take(int most, long nowNanos) {
    List<SourceMessage> messages = new ArrayList<>();
    for (Iterator<Item> all = waiting.values().iterator();
        all.hasNext() && messages.size() < most; ) {
      Item item = all.next();
      if (nowNanos - item.dueNanos >= 0) {
        all.remove();
        messages.add(taken(item));
      }
    }
    return messages;
  }

  private SourceMessage taken(Item item) {
    numbers++;
    item.deliveries++;
    String receipt = client + "-" + numbers;
    taken.put(receipt, item);
    FeedItem entry = item.entry;
    return new SourceMessage(
        entry.id(), receipt, entry.body(), entry.headers(), item.deliveries, entry.published());
  }

  Set<String> lost(Collection<String> receipts) {
    Set<String> lost = new HashSet<>(receipts);
    lost.removeAll(taken.keySet());
    return lost;
  }

  /**
   * Returns what the memory is to have when these are ended; {@link #end} follows when it has.
   *
   * @param cause why they are set aside; null if they are completed
   */
  Map<String, String> ending(Collection<String> receipts, @Nullable String cause, long today) {
    Map<String, String> puts = new HashMap<>();
    for (String receipt : receipts) {
      Item item = taken.get(receipt);
      if (item != null) {
        puts.put(item.entry.id(), new Known(today, cause).toString());
      }
    }
    return puts;
  }

  void end(Collection<String> receipts, Map<String, String> written, long today) {
    written.forEach((id, text) -> known.put(id, Known.of(text, today)));
    taken.keySet().removeAll(receipts);
  }

  void giveBack(String receipt, Duration delay, boolean counts, long nowNanos) {
    Item item = taken.remove(receipt);
    if (item != null) {
      item.dueNanos = nowNanos + delay.toNanos();
      item.deliveries -= counts ? 0 : 1;
      waiting.put(item.entry.id(), item);
    }
  }
}
