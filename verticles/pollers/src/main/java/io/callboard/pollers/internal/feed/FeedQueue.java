package io.callboard.pollers.internal.feed;

import io.callboard.codecs.internal.text.Digest;
import io.callboard.pollers.source.SourceMemory;
import io.callboard.pollers.source.SourceMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Entries of a feed that wait or are taken, and the keys of those that have ended. Has no I/O. */
final class FeedQueue {
  /** Days after which an id is forgotten that the feed does not show. */
  static final long FORGET_DAYS = 30;

  /**
   * Number of ids after which those are forgotten that the feed has not shown for longest. Until
   * then as many can end as a feed may show twice.
   */
  static final int MOST_KNOWN = SourceMemory.MOST_KEYS - 2 * FeedSettings.MOST_ENTRIES;

  private final String client;
  private final Map<String, Item> waiting = new LinkedHashMap<>();
  private final Map<String, Item> taken = new HashMap<>();

  /**
   * Entries that were completed or set aside: by the {@link #key} of the id, the day of the epoch
   * on which the feed has shown it last.
   */
  private final Map<String, Long> known = new HashMap<>();

  private long numbers;

  FeedQueue(String client) {
    this.client = client;
  }

  /** Entry that is not completed. */
  private static final class Item {
    private final FeedItem entry;
    private int deliveries;
    private long dueNanos;

    Item(FeedItem entry, int deliveries, long nowNanos) {
      this.entry = entry;
      this.deliveries = deliveries;
      this.dueNanos = nowNanos;
    }
  }

  /**
   * Entry that has not ended, as it is left to another queue.
   *
   * @param deliveries how often it was delivered
   */
  record Left(FeedItem entry, int deliveries) {}

  /** Change of the memory. */
  record Change(Map<String, Long> puts, Set<String> removed) {
    boolean isEmpty() {
      return puts.isEmpty() && removed.isEmpty();
    }
  }

  /** Returns the key of an id, which may be of any length, in the memory. */
  static String key(String id) {
    return Digest.of(id).substring(0, SourceMemory.LONGEST_KEY);
  }

  /** Adds the keys of the memory. */
  void remember(Map<String, Long> memory) {
    known.putAll(memory);
  }

  /**
   * Adds the entries that the feed shows.
   *
   * @return what the memory is to know about it
   */
  Change offer(List<FeedItem> entries, long nowNanos, long today) {
    Set<String> open = new HashSet<>();
    taken.values().forEach(item -> open.add(item.entry.id()));
    Set<String> shown = new HashSet<>();
    Change change = new Change(new HashMap<>(), new HashSet<>());
    for (FeedItem entry : entries) {
      String key = key(entry.id());
      Long day = known.get(key);
      shown.add(key);
      if (day == null && !open.contains(entry.id())) {
        waiting.putIfAbsent(entry.id(), new Item(entry, 0, nowNanos));
      } else if (day != null && day < today) {
        known.put(key, today);
        change.puts().put(key, today);
      }
    }
    forget(change, shown, today);
    return change;
  }

  private void forget(Change change, Set<String> shown, long today) {
    int tooMany = known.size() - MOST_KNOWN;
    List<String> gone = new ArrayList<>();
    known.forEach(
        (key, day) -> {
          if (day + FORGET_DAYS < today) {
            gone.add(key);
          }
        });
    if (gone.size() < tooMany) {
      gone.clear();
      known.entrySet().stream()
          .filter(each -> !shown.contains(each.getKey()))
          .sorted(Map.Entry.comparingByValue())
          .limit(tooMany)
          .forEach(each -> gone.add(each.getKey()));
    }
    gone.forEach(known::remove);
    gone.forEach(change.puts()::remove);
    change.removed().addAll(gone);
  }

  /** Returns the entries that have not ended, as another queue may {@link #resume} them. */
  List<Left> open() {
    return Stream.concat(waiting.values().stream(), taken.values().stream())
        .map(item -> new Left(item.entry, item.deliveries))
        .toList();
  }

  /** Returns whether there are entries that have not ended. */
  boolean hasOpen() {
    return !waiting.isEmpty() || !taken.isEmpty();
  }

  /** Takes over the open entries of another queue, unless they have ended since. */
  void resume(List<Left> open, long nowNanos) {
    for (Left each : open) {
      String id = each.entry().id();
      if (!known.containsKey(key(id))) {
        waiting.putIfAbsent(id, new Item(each.entry(), each.deliveries(), nowNanos));
      }
    }
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

  /** Returns the memory to store for these entries; {@link #end} is called once it is stored. */
  Map<String, Long> ending(Collection<String> receipts, long today) {
    Map<String, Long> puts = new HashMap<>();
    for (String receipt : receipts) {
      Item item = taken.get(receipt);
      if (item != null) {
        puts.put(key(item.entry.id()), today);
      }
    }
    return puts;
  }

  void end(Collection<String> receipts, Map<String, Long> written) {
    known.putAll(written);
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
