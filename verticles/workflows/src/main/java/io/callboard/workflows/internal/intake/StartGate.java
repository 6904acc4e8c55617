package io.callboard.workflows.internal.intake;

import io.callboard.time.Machine;
import io.callboard.workflows.internal.starts.StartAnswer;
import io.callboard.workflows.internal.starts.StartReport;
import io.callboard.workflows.internal.starts.StartReport.OfDefinition;
import io.callboard.workflows.model.BrakeView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The gate of a node: which of its instances may begin, which wait for a permit, and what has ended
 * here. While no brake is on, all begin and nothing is sent for any of them. Thread-safe.
 */
@Machine
public class StartGate {
  /** Maximum number of messages that are under way in the cell, as far as gates know. */
  public static final int MOST_MESSAGES = 20_000;

  private final String node;
  private final String boot;
  private final Map<String, Definition> definitions = new TreeMap<>();
  private final Map<String, String> known = new HashMap<>();
  private Map<String, BrakeView> brakes = Map.of();
  private boolean limited;
  private int room = Integer.MAX_VALUE;
  private long epoch;
  private long answer;
  private long reports;
  private long changes;
  private final Set<String> messages = new HashSet<>();
  private int messagesElsewhere;

  /** Instances of one definition on this node. */
  private static final class Definition {
    final Map<String, Instant> running = new HashMap<>();
    final LinkedHashMap<String, Instant> waiting = new LinkedHashMap<>();
    long permits;
    long used;
    long succeeded;
    long failed;
    int weight = 1;
  }

  /** Creates the gate of a node, which lets all begin until it knows more. */
  public StartGate(String node, String boot) {
    this.node = node;
    this.boot = boot;
  }

  private Definition of(String definition) {
    return definitions.computeIfAbsent(definition, name -> new Definition());
  }

  /**
   * Adds an instance that is to begin. Otherwise it waits until {@link #answered} names it, or
   * {@link #left} takes it back.
   *
   * @return whether it may begin at once
   */
  public synchronized boolean begins(String definition, String id, Instant now) {
    Definition its = of(definition);
    if (its.running.containsKey(id)) {
      return true;
    }
    changes++;
    known.put(id, definition);
    if (isHeld(definition)) {
      its.waiting.putIfAbsent(id, now);
      return false;
    }
    room--;
    its.waiting.remove(id);
    its.running.put(id, now);
    return true;
  }

  /** Sets the weight of a definition, that of the version that came last. */
  public synchronized void weighs(String definition, int weight) {
    of(definition).weight = weight;
  }

  boolean isHeld(String definition) {
    BrakeView brake = brakes.get(definition);
    return limited || room <= 0 || (brake != null && brake.isOn());
  }

  /** Adds an instance that had begun before it came to this node. */
  public synchronized void resumed(String definition, String id, Instant begunAt) {
    changes++;
    known.put(id, definition);
    Definition its = of(definition);
    its.waiting.remove(id);
    its.running.put(id, begunAt);
  }

  /**
   * Records the end of an instance that ran here.
   *
   * @param success whether it succeeded; null if it was cancelled
   */
  public synchronized void ended(String id, @Nullable Boolean success) {
    String definition = known.remove(id);
    if (definition != null) {
      changes++;
      Definition its = of(definition);
      its.waiting.remove(id);
      boolean ran = its.running.remove(id) != null;
      if (ran && success != null) {
        its.succeeded += success ? 1 : 0;
        its.failed += success ? 0 : 1;
      }
    }
  }

  /** Forgets an instance that has left this node. */
  public synchronized void left(String id) {
    ended(id, null);
  }

  /** Returns since when an instance waits for a permit; null if it does not. */
  public synchronized @Nullable Instant waitsSince(String id) {
    String definition = known.get(id);
    return definition == null ? null : of(definition).waiting.get(id);
  }

  /** Returns why instances of a definition wait, a sentence. */
  public synchronized String why(String definition) {
    BrakeView brake = brakes.get(definition);
    return brake != null && brake.isOn()
        ? brake.why()
        : "as many instances run in the cell as may at once; the next place is given by weight";
  }

  /** Returns the earliest time at which an instance of a definition may begin; null if unknown. */
  public synchronized @Nullable Instant until(String definition) {
    BrakeView brake = brakes.get(definition);
    return brake == null ? null : brake.nextProbe();
  }

  /** Returns whether an instance has begun here and has not ended. */
  public synchronized boolean runs(String id) {
    String definition = known.get(id);
    return definition != null && of(definition).running.containsKey(id);
  }

  /** Returns a number that grows with each change. */
  public synchronized long changes() {
    return changes;
  }

  /** Returns whether another message may be taken. */
  public synchronized boolean takesMessages() {
    return messages.size() + messagesElsewhere < MOST_MESSAGES;
  }

  /** Records that a message is under way on this node. */
  public synchronized void messageOpened(String key) {
    changes += messages.add(key) ? 1 : 0;
  }

  /** Records that a message is not under way on this node any more. */
  public synchronized void messageClosed(String key) {
    changes += messages.remove(key) ? 1 : 0;
  }

  /** Returns whether an instance waits here. */
  public synchronized boolean waits() {
    return definitions.values().stream().anyMatch(each -> !each.waiting.isEmpty());
  }

  /** Returns the next report to the desk. */
  public synchronized StartReport report() {
    List<OfDefinition> all = new ArrayList<>();
    definitions.forEach(
        (name, its) ->
            all.add(
                new OfDefinition(
                    name,
                    its.running.size(),
                    counted(name, its),
                    its.waiting.size(),
                    its.used,
                    its.succeeded,
                    its.failed,
                    its.weight)));
    Integer left = epoch == 0 ? null : Integer.valueOf(limited ? 0 : Math.max(0, room));
    return new StartReport(node, boot, epoch, ++reports, all, messages.size(), left);
  }

  private int counted(String definition, Definition its) {
    BrakeView brake = brakes.get(definition);
    if (brake == null || !brake.isOn()) {
      return 0;
    }
    return (int)
        its.running.values().stream().filter(begun -> !begun.isBefore(brake.since())).count();
  }

  /**
   * Takes an answer of the desk; returns the instances that may begin now, each of which runs from
   * now on. An answer that was overtaken, or is of a desk that was replaced, has no effect.
   */
  public synchronized List<String> answered(StartAnswer now, Instant clock) {
    if (!isNewer(now)) {
      return List.of();
    } else if (now.epoch() > epoch) {
      definitions
          .values()
          .forEach(
              its -> {
                its.permits = 0;
                its.used = 0;
              });
    }
    epoch = now.epoch();
    answer = now.number();
    limited = now.limited();
    room = now.room();
    messagesElsewhere = now.messages() == null ? 0 : Math.max(0, now.messages() - messages.size());
    Map<String, BrakeView> next = new HashMap<>();
    now.brakes().forEach(brake -> next.put(brake.definition(), brake));
    brakes = next;
    List<String> begin = new ArrayList<>();
    definitions.forEach(
        (name, its) -> {
          its.permits = Math.max(its.permits, now.permits().getOrDefault(name, 0L));
          begin(name, its, clock, begin);
        });
    return begin;
  }

  boolean isNewer(StartAnswer now) {
    return now.epoch() > epoch || (now.epoch() == epoch && now.number() > answer);
  }

  private void begin(String name, Definition its, Instant clock, List<String> begin) {
    while (!its.waiting.isEmpty() && (!isHeld(name) || its.used < its.permits)) {
      String id = its.waiting.keySet().iterator().next();
      its.waiting.remove(id);
      its.running.put(id, begunAt(name, clock));
      its.used = Math.min(its.permits, its.used + 1);
      room--;
      begin.add(id);
    }
    if (its.waiting.isEmpty()) {
      its.used = its.permits; // what nobody needs is given back
    }
  }

  /** Returns when an instance begins: not before its brake, whatever the clocks of nodes say. */
  private Instant begunAt(String definition, Instant clock) {
    BrakeView brake = brakes.get(definition);
    return brake != null && brake.since().isAfter(clock) ? brake.since() : clock;
  }

  /** Returns the brakes that are on or overridden, by the last answer of the desk. */
  public synchronized List<BrakeView> brakes() {
    return List.copyOf(brakes.values());
  }

  /** Returns the brake of a definition, by the last answer of the desk; null if it is off. */
  public synchronized @Nullable BrakeView brake(String definition) {
    return brakes.get(definition);
  }
}
