package io.callboard.workflows;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.testkit.internal.world.WorldNode;
import io.callboard.testkit.internal.world.WorldTime;
import io.callboard.workflows.internal.dispatch.WorkerMachine;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.model.InstanceEnded;
import io.callboard.workflows.model.MessageReceipt;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the handlers of a world did, recorded by themselves, and what listeners were told.
 *
 * <ul>
 *   <li>R1, as a handler begins: no other one runs for its step.
 *   <li>R2, as a handler begins: if its run was requested again, it has not been settled for longer
 *       than messages are late.
 *   <li>I1, as a handler begins: its input is that of all other runs of its step in the round.
 *   <li>C1, as a handler begins: no more run on its node than it has slots.
 *   <li>N1: a message is settled once.
 * </ul>
 */
final class WorkflowsHistory {
  private static final int STORY = Integer.getInteger("callboard.rehearsal.story", 200);

  /** Time after which no message is on its way any more, nor a run at a desk that was replaced. */
  private static final long LATE = 20 * WorldTime.SECOND;

  private final WorldTime time;
  private final Map<RehearsedDeed, Integer> deeds = new EnumMap<>(RehearsedDeed.class);
  private final Map<StepRunKey, List<HandlerRun>> runs = new HashMap<>();
  private final List<HandlerRun> alive = new ArrayList<>();
  private final Map<StepRunKey, Long> settledAt = new HashMap<>();
  private final Set<StepRunKey> repeated = new HashSet<>();
  private final Map<String, JsonNode> inputs = new HashMap<>();
  private final Map<String, List<InstanceEnded>> ends = new HashMap<>();
  private final Map<String, List<MessageReceipt>> receipts = new HashMap<>();
  private final Deque<Said> story = new ArrayDeque<>();
  private @Nullable AssertionError broken;

  private record Said(long atNs, Object[] what) {
    @Override
    public String toString() {
      String words = Stream.of(what).map(String::valueOf).collect(Collectors.joining(" "));
      return "%.2f %s"
          .formatted(atNs / (double) WorldTime.SECOND, words.replace("/workflows/", ""));
    }
  }

  /** How a handler ended by itself. */
  enum HandlerEnd {
    SUCCEEDED,
    FAILED,
    /** It failed, and said that it will at every attempt. */
    FAILED_FOR_GOOD,
    /** It ended because it was to end. */
    CANCELLED
  }

  /** Call of a handler, which ends by itself alone: an object that is gone ends no code. */
  static final class HandlerRun {
    final StepRunKey key;
    final WorldNode node;
    final int attempt;
    @Nullable HandlerEnd end;
    @Nullable JsonNode output;
    private final int session;
    private @Nullable Long askedNs;

    HandlerRun(StepRunKey key, int attempt, WorldNode node) {
      this.key = key;
      this.attempt = attempt;
      this.node = node;
      this.session = node.cell().session(node);
    }

    /** Notes that it is to end, and was asked to. */
    void asked() {
      askedNs = node.cell().time().now();
    }

    /** Returns whether its code is on, and nobody has given it up; a frozen node does nothing. */
    boolean isAlive() {
      return end == null && node.isAlive() && !isGivenUp();
    }

    /** Code has some time to end, and none once the others may have taken its node for dead. */
    private boolean isGivenUp() {
      return askedNs != null
          && (!node.cell().isMember(node)
              || node.cell().session(node) != session
              || node.cell().time().now() - askedNs >= WorkerMachine.CANCEL_GRACE.toNanos());
    }

    @Override
    public String toString() {
      return "%s on %s".formatted(key, node);
    }
  }

  WorkflowsHistory(WorldTime time) {
    this.time = time;
  }

  void does(RehearsedDeed deed) {
    deeds.merge(deed, 1, Integer::sum);
  }

  Map<RehearsedDeed, Integer> deeds() {
    return deeds;
  }

  /** Notes what happens, for the message of a failure. */
  void say(Object... what) {
    story.add(new Said(time.now(), what));
    if (story.size() > STORY) {
      story.remove();
    }
  }

  void rule(boolean holds, String text, Object... what) {
    if (!holds) {
      String all = story.stream().map(Said::toString).collect(Collectors.joining("\n"));
      AssertionError now = new AssertionError(text.formatted(what) + "\n" + all);
      broken = broken == null ? now : broken;
      throw now;
    }
  }

  /** Throws what broke a rule first: who was in the middle of something may have caught it. */
  void check() {
    if (broken != null) {
      throw broken;
    }
  }

  // Handlers.

  HandlerRun begins(StepRunKey key, int attempt, WorldNode node, int slots) {
    say("BEGINS", key, "on", node);
    HandlerRun run = new HandlerRun(key, attempt, node);
    alive.removeIf(each -> !each.isAlive());
    for (HandlerRun other : alive) {
      boolean same =
          other.key.instance().equals(key.instance()) && other.key.step().equals(key.step());
      rule(!same || !other.node.isAwake(), "R1: %s begins while %s runs", run, other);
    }
    long late = time.now() - settledAt.getOrDefault(key, time.now());
    rule(
        late < LATE || !repeated.contains(key),
        "R2: %s begins %d s after it was settled",
        run,
        late / WorldTime.SECOND);
    rule(alive(node) < slots, "C1: %s begins, with %d slots: %s", run, slots, alive);
    alive.add(run);
    runs.computeIfAbsent(key, each -> new ArrayList<>()).add(run);
    return run;
  }

  /**
   * Notes the input of a handler.
   *
   * @param key the same for all runs of its step in a round
   */
  void sees(String key, JsonNode input) {
    JsonNode first = inputs.computeIfAbsent(key, same -> input.deepCopy());
    rule(first.equals(input), "I1: %s saw %s, and now %s", key, first, input);
  }

  /** Notes that a worker was given a run, and whether it was requested before. */
  void assigned(StepRunKey run, boolean again) {
    boolean unused = again ? repeated.add(run) : repeated.remove(run);
  }

  /** Notes that an instance has settled a run. */
  void settled(StepRunKey run) {
    settledAt.put(run, time.now());
  }

  void ends(HandlerRun run, HandlerEnd end, @Nullable JsonNode output) {
    say("ENDS", run, end);
    run.end = end;
    run.output = output;
  }

  /** Returns the number of handlers that run on a node. */
  long alive(WorldNode node) {
    return alive.stream().filter(run -> run.node == node && run.isAlive()).count();
  }

  /** Returns the handlers that run. */
  List<HandlerRun> alive() {
    alive.removeIf(each -> !each.isAlive());
    return List.copyOf(alive);
  }

  /** Returns the calls of handlers for a run; several if nobody knew of the first. */
  List<HandlerRun> runs(StepRunKey key) {
    return runs.getOrDefault(key, List.of());
  }

  // Listeners.

  void told(InstanceEnded end) {
    say("TOLD", end.instance(), end.state());
    ends.computeIfAbsent(end.instance(), id -> new ArrayList<>()).add(end);
  }

  /** Returns the ends of an instance that were told. */
  List<InstanceEnded> ends(String instance) {
    return ends.getOrDefault(instance, List.of());
  }

  void settled(MessageReceipt receipt) {
    say("SETTLED", receipt);
    List<MessageReceipt> all = receipts.computeIfAbsent(receipt.id(), id -> new ArrayList<>());
    all.add(receipt);
    rule(all.size() == 1, "N1: the message %s is settled again: %s", receipt.id(), all);
    rule(receipt.state().isSettled(), "N1: a receipt of %s says nothing", receipt);
  }

  /** Returns the receipt of a message; null if it was not settled. */
  @Nullable MessageReceipt receipt(String message) {
    List<MessageReceipt> all = receipts.get(message);
    return all == null ? null : all.get(0);
  }
}
