package io.callboard.testkit.internal.world;

import io.callboard.time.Time.Alarm;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Mailbox of a durable actor, with the timers that its object has in memory. */
final class WorldMailbox {
  private final Deque<WorldTurn.Mail> waiting = new ArrayDeque<>();
  private final Deque<WorldTurn.Mail> stashed = new ArrayDeque<>();
  private final Map<String, WorldTurn.Mail> timers = new HashMap<>();
  private final Map<String, Alarm> alarms = new HashMap<>();

  /** Returns whether nothing is to be handled now. */
  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Returns whether it holds nothing. */
  boolean isIdle() {
    return waiting.isEmpty() && stashed.isEmpty();
  }

  void add(WorldTurn.Mail what) {
    waiting.add(what);
  }

  WorldTurn.Mail first() {
    return waiting.element();
  }

  void removeFirst() {
    waiting.remove();
  }

  /** Leaves the first message to a later object. */
  void stashFirst() {
    stashed.add(waiting.remove());
  }

  /** Takes up what was stashed, before all else. */
  void unstashAll() {
    while (!stashed.isEmpty()) {
      waiting.addFirst(stashed.removeLast());
    }
  }

  /** Forgets what an object had in memory; what it has stashed comes next. */
  void objectEnds() {
    unstashAll();
    waiting.removeIf(each -> !each.stored());
    alarms.values().forEach(Alarm::cancel);
    alarms.clear();
    timers.clear();
  }

  /** Starts a timer in memory, whose message is given to {@code then}. */
  void startTimer(
      WorldNode node, String key, Duration delay, Object message, Consumer<WorldTurn.Mail> then) {
    cancelTimer(key);
    WorldTurn.Mail due =
        new WorldTurn.Mail(message, false, new WorldTurn.Timer(key, message, 0), null);
    timers.put(key, due);
    alarms.put(key, node.schedule(WorldTime.nanos(delay), () -> then.accept(due)));
  }

  void cancelTimer(String key) {
    timers.remove(key);
    Alarm alarm = alarms.remove(key);
    if (alarm != null) {
      alarm.cancel();
    }
  }

  /** Returns whether the message is that of the timer as it was started last. */
  boolean isOfTimer(WorldTurn.Mail what, String key) {
    return timers.get(key) == what;
  }

  @Override
  public String toString() {
    return stashed.isEmpty() ? waiting.toString() : "%s, stashed %s".formatted(waiting, stashed);
  }
}
