package io.callboard.workflows;

import io.callboard.testkit.internal.world.WorldNode;
import io.callboard.testkit.internal.world.WorldTime;
import io.callboard.workflows.internal.protocol.DeskAnswer;
import io.callboard.workflows.internal.protocol.DeskCommand;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.starts.StartReport.OfDefinition;
import io.callboard.workflows.internal.worker.DeskActor;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * L2: no slot and no permit is lost, judged when all faults have ceased and every instance has
 * ended. Then nothing is counted anywhere; and of more work than there is room for, exactly as much
 * runs as there is room: instances in the cell, and steps on each node.
 */
final class FillCheck {
  private static final int MOST_SECONDS = 90;

  /** More than the cell has room for. */
  private static final int MORE = 2;

  private final WorkflowsWorld world;
  private final int mostRunning;

  FillCheck(WorkflowsWorld world, int mostRunning) {
    this.world = world;
    this.mostRunning = mostRunning;
  }

  /** Judges a world in which nothing runs. */
  void play() {
    world.history().say("FILL");
    waits(() -> counted().isEmpty() && desk().isEmpty());
    rule(counted().isEmpty(), "nothing runs, but gates count %s", counted());
    rule(desk().isEmpty(), "nothing runs, but the desk says %s", desk());
    permits();
    slots();
  }

  /** Returns what the gates of the nodes count. */
  private List<OfDefinition> counted() {
    return world.cell().nodes().stream()
        .flatMap(node -> world.engine(node).gate().report().definitions().stream())
        .filter(each -> each.running() > 0 || each.waiting() > 0)
        .toList();
  }

  /** Returns what is with the desk; empty if that is nothing. */
  private List<Object> desk() {
    WorldNode node = world.cell().nodes().get(0);
    Future<DeskAnswer> asked =
        node.ref(DeskActor.PATH, DeskCommand.class)
            .ask(new DeskCommand.Survey(), DeskAnswer.class, Duration.ofSeconds(5));
    world.runFor(WorldTime.SECOND);
    if (!asked.succeeded()) {
      return List.of("no answer of the desk: " + asked.cause());
    }
    DeskAnswer.Overview all = (DeskAnswer.Overview) asked.result();
    List<Object> left = new ArrayList<>(all.awaits());
    all.queues().stream().filter(each -> each.waiting() + each.running() > 0).forEach(left::add);
    all.workers().stream().filter(each -> !each.running().isEmpty()).forEach(left::add);
    int slots = all.workers().stream().mapToInt(DeskAnswer.Worker::slots).sum();
    if (slots != world.slots().values().stream().mapToInt(Integer::intValue).sum()) {
      left.add(all.workers());
    }
    return left;
  }

  /** More instances than may run, one after the other, so that each is counted before the next. */
  private void permits() {
    world.put(world.definitions().holds(RehearsedDefinitions.HOLD, 1));
    seconds(3);
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < mostRunning + MORE; i++) {
      ids.add(world.start(RehearsedDefinitions.HOLD));
      seconds(2);
    }
    waits(() -> begun(ids) == mostRunning);
    seconds(4); // no more begin
    rule(
        begun(ids) == mostRunning,
        "of %d instances that may run, %d do, of %d",
        mostRunning,
        begun(ids),
        ids.size());
    release(ids);
  }

  private long begun(List<String> ids) {
    return ids.stream().map(world::instance).filter(FillCheck::hasBegun).count();
  }

  private static boolean hasBegun(InstanceData data) {
    return data != null && data.hasBegun();
  }

  /** One instance with more steps than there are slots. */
  private void slots() {
    int all = world.slots().values().stream().mapToInt(Integer::intValue).sum();
    world.put(world.definitions().holds(RehearsedDefinitions.WIDE, all + MORE));
    seconds(3);
    List<String> ids = List.of(world.start(RehearsedDefinitions.WIDE));
    waits(() -> world.history().alive().size() == all);
    seconds(4);
    for (WorldNode node : world.cell().nodes()) {
      long runs = world.history().alive(node);
      int has = world.slots().get(node.node());
      rule(runs == has, "of %d slots of %s, %d are used", has, node, runs);
    }
    release(ids);
  }

  private void release(List<String> ids) {
    for (int i = 0; i < MOST_SECONDS && !haveEnded(ids); i++) {
      world.handlers().release();
      seconds(1);
    }
    rule(haveEnded(ids), "what was held does not end: %s", ids);
  }

  private boolean haveEnded(List<String> ids) {
    return ids.stream()
        .map(world::instance)
        .allMatch(data -> data != null && data.outcome() != null);
  }

  private void waits(BooleanSupplier condition) {
    for (int i = 0; i < MOST_SECONDS && !condition.getAsBoolean(); i++) {
      seconds(1);
    }
  }

  private void seconds(int count) {
    world.runFor(count * WorldTime.SECOND);
  }

  private void rule(boolean holds, String text, Object... what) {
    world.history().rule(holds, "L2: " + text, what);
  }
}
