package io.callboard.pollers.source;

import io.callboard.time.Time;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Queue in memory, with leases on an injected clock, for tests of what polls: the server of {@link
 * PlayedSource}s. Thread-safe.
 */
public final class PlayedQueue {
  private final Time time;
  private final TreeMap<Long, Entry> entries = new TreeMap<>();
  private final List<SourceStage.Aside> aside = new ArrayList<>();
  private final List<String> completed = new ArrayList<>();
  private final Map<String, List<EmittedMessage>> emitted = new HashMap<>();
  private final Map<String, Integer> failures = new HashMap<>();
  private final Set<Runnable> waiters = new HashSet<>();
  private long numbers;
  private final Set<String> refused = new HashSet<>();
  private boolean away;
  private Optional<String> trouble = Optional.empty();

  /** Creates an empty queue. */
  public PlayedQueue(Time time) {
    this.time = time;
  }

  /** Message that is neither completed nor set aside. */
  private static final class Entry {
    private final long number;
    private final Buffer body;
    private final Instant sentAt;
    private Instant dueAt;
    private int deliveries;
    private int failures;
    private @Nullable String receipt;

    Entry(long number, Buffer body, Instant now) {
      this.number = number;
      this.body = body;
      this.sentAt = now;
      this.dueAt = now;
    }

    boolean isTaken(Instant now) {
      return receipt != null && now.isBefore(dueAt);
    }

    SourceMessage message() {
      return new SourceMessage(
          "id-" + number,
          String.valueOf(receipt),
          body.copy(),
          Map.of(),
          deliveries,
          sentAt,
          failures);
    }
  }

  Time time() {
    return time;
  }

  private Instant now() {
    return time.clock().instant();
  }

  /** Puts messages with these contents. */
  public void put(String... bodies) {
    for (String body : bodies) {
      put(Buffer.buffer(body));
    }
  }

  /** Puts a message. */
  public void put(Buffer body) {
    synchronized (this) {
      numbers++;
      entries.put(numbers, new Entry(numbers, body, now()));
    }
    changed();
  }

  /** Returns the contents of the messages that are due and not taken. */
  public synchronized List<String> waiting() {
    Instant now = now();
    return entries.values().stream()
        .filter(entry -> !now.isBefore(entry.dueAt))
        .map(entry -> entry.body.toString())
        .toList();
  }

  /** Returns the contents of the messages that are taken. */
  public synchronized List<String> taken() {
    Instant now = now();
    return entries.values().stream()
        .filter(entry -> entry.isTaken(now))
        .map(entry -> entry.body.toString())
        .toList();
  }

  /** Returns the number of messages that are neither completed nor set aside. */
  public synchronized int size() {
    return entries.size();
  }

  /** Returns the contents of the messages that were completed, in that order. */
  public synchronized List<String> completed() {
    return List.copyOf(completed);
  }

  /** Returns what was set aside. */
  public synchronized List<SourceStage.Aside> aside() {
    return List.copyOf(aside);
  }

  /** Returns what was emitted to {@code target}. */
  public synchronized List<EmittedMessage> emitted(String target) {
    return List.copyOf(emitted.getOrDefault(target, List.of()));
  }

  /** Makes all calls fail, or none. */
  public void away(boolean isAway) {
    synchronized (this) {
      away = isAway;
    }
    changed();
  }

  /** Makes the next {@code times} calls of a method fail, as {@code complete}. */
  public synchronized void failNext(String method, int times) {
    failures.put(method, times);
  }

  /** Has trouble though calls succeed. */
  public synchronized void trouble(String what) {
    trouble = Optional.of(what);
  }

  synchronized Optional<String> trouble() {
    return trouble;
  }

  /** Refuses for good what is emitted to {@code target}. */
  public synchronized void refuse(String target) {
    refused.add(target);
  }

  /** Throws if a call of this method fails now. */
  synchronized void check(String method) {
    int left = failures.getOrDefault(method, 0);
    if (left > 0) {
      failures.put(method, left - 1);
    }
    if (away || left > 0) {
      throw new SourceException("the played queue: " + method + " failed");
    }
  }

  /** Takes what is due, at most {@code most}, and no further one after so many bytes. */
  synchronized List<SourceMessage> take(int most, long mostBytes, String client, Duration lease) {
    List<SourceMessage> taken = new ArrayList<>();
    Instant now = now();
    long bytes = 0;
    for (Entry entry : entries.values()) {
      if (taken.size() < most && bytes < mostBytes && !now.isBefore(entry.dueAt)) {
        bytes += entry.body.length();
        entry.deliveries++;
        entry.receipt = "%s/%d/%d".formatted(client, entry.number, entry.deliveries);
        entry.dueAt = now.plus(lease);
        taken.add(entry.message());
      }
    }
    return taken;
  }

  private @Nullable Entry taken(String receipt) {
    Entry entry = entries.get(Long.parseLong(receipt.split("/", -1)[1]));
    return entry != null && receipt.equals(entry.receipt) && entry.isTaken(now()) ? entry : null;
  }

  synchronized boolean extend(String receipt, Duration lease) {
    Entry entry = taken(receipt);
    if (entry != null) {
      entry.dueAt = now().plus(lease);
    }
    return entry != null;
  }

  synchronized void complete(String receipt) {
    Entry entry = taken(receipt);
    if (entry != null) {
      entries.remove(entry.number);
      completed.add(entry.body.toString());
    }
  }

  void fail(String receipt, Duration delay) {
    synchronized (this) {
      Entry entry = taken(receipt);
      if (entry != null) {
        entry.failures++;
      }
    }
    giveBack(receipt, delay);
  }

  void giveBack(String receipt, Duration delay) {
    synchronized (this) {
      Entry entry = taken(receipt);
      if (entry != null) {
        entry.receipt = null;
        entry.dueAt = now().plus(delay);
      }
    }
    changed();
  }

  synchronized void dead(String receipt, String cause) {
    Entry entry = taken(receipt);
    if (entry != null) {
      entries.remove(entry.number);
      aside.add(new SourceStage.Aside(entry.body, cause));
    }
  }

  synchronized void emit(String target, EmittedMessage message) {
    if (refused.contains(target)) {
      throw new EmissionRefusedException("the name %s is too long".formatted(target));
    }
    emitted.computeIfAbsent(target, t -> new ArrayList<>()).add(message);
  }

  /** Returns the time until the next message is due; empty if there is none. */
  synchronized Optional<Duration> untilDue() {
    Instant now = now();
    return entries.values().stream()
        .map(entry -> Duration.between(now, entry.dueAt))
        .min(Comparator.naturalOrder());
  }

  /** Adds one that is told of each change, on any thread. */
  synchronized void await(Runnable waiter) {
    waiters.add(waiter);
  }

  synchronized void forget(Runnable waiter) {
    waiters.remove(waiter);
  }

  /** Tells those that wait. */
  void changed() {
    Collection<Runnable> told;
    synchronized (this) {
      told = List.copyOf(waiters);
    }
    told.forEach(Runnable::run);
  }
}
