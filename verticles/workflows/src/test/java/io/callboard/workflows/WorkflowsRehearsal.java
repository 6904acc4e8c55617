package io.callboard.workflows;

import io.callboard.testkit.internal.world.DurableLife;
import io.callboard.testkit.internal.world.WorldNode;
import io.callboard.testkit.internal.world.WorldTime;
import io.callboard.workflows.internal.actor.InstanceActor;
import io.callboard.workflows.internal.actor.StartDeskActor;
import io.callboard.workflows.internal.actor.StartLedger;
import io.callboard.workflows.internal.protocol.InstanceAnswer;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.WorkersCommand;
import io.callboard.workflows.internal.starts.IntakeData;
import io.callboard.workflows.internal.starts.LedgerCommand;
import io.callboard.workflows.internal.worker.DeskActor;
import io.callboard.workflows.internal.worker.WorkerRegistry;
import io.callboard.workflows.model.BrakeOverride;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.MessageReceipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A {@link WorkflowsWorld} played from one seed: a minute or so of faults, then calm.
 *
 * <p>Messages are late, lost, doubled and overtake each other as far as the toolkit allows it; each
 * durable actor is restarted, before and after its commits, moved and passivated, desks and workers
 * are restarted; nodes die and return with a new boot, stop in order, freeze, lose their contact
 * and their session; workers are drained in three ways, and their slots change; the clocks of the
 * nodes differ. Users start instances of random graphs, with sub-workflows, timeouts, retries and
 * compensation, put new versions, cancel, retry and rerun instances, send messages once and again,
 * override brakes. Handlers fail, hang, and do not listen to their cancellation.
 *
 * <p>Rules: {@link WorkflowsHistory}, {@link RehearsedWatch}, {@link GraphOracle}, {@link
 * FillCheck}; and L1: when faults cease, every instance and every message comes to its end.
 */
final class WorkflowsRehearsal {
  private static final long TICK = WorldTime.SECOND / 10;
  private static final int MOST_CALM_SECONDS = 20 * 60;
  private static final int MOST_ROOTS = 30;
  private static final List<String> TOPS = List.of("d0", "d1", "d2");
  private static final List<String> CHILDREN = List.of("c0", "c1");

  private final WorkflowsWorld world;
  private final SplittableRandom random;
  private final List<String> hosts = new ArrayList<>();
  private final List<Runnable> messages = new ArrayList<>();
  private final int mostRunning;

  /** Whether so many instances fail at once that a brake comes on. */
  private final boolean storm;

  WorkflowsRehearsal(long seed, RehearsedFlaw flaw) {
    SplittableRandom of = new SplittableRandom(seed);
    storm = of.nextInt(12) == 0;
    mostRunning = storm ? 60 : 4 + of.nextInt(8);
    world = new WorkflowsWorld(of.nextLong(), flaw, mostRunning, TOPS);
    random = of.split();
    int count = 3 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      hosts.add("n" + i);
    }
    for (String host : hosts) {
      boolean all = host.equals("n0") || random.nextInt(3) > 0;
      world.host(
          host, 1 + random.nextInt(4), all ? List.of("a", "b@1", "b@2") : List.of("a", "b@1"));
    }
    world.openRoles();
  }

  WorkflowsWorld world() {
    return world;
  }

  /** Plays the world. */
  void play() {
    CHILDREN.forEach(name -> world.put(world.definitions().random(name, List.of())));
    TOPS.forEach(this::put);
    world.put(world.definitions().bad());
    world.runFor(8 * WorldTime.SECOND);
    world.cell().faults().on(true);
    int first = 3 + random.nextInt(6);
    for (int i = 0; i < first; i++) {
      start();
    }
    if (storm) {
      for (int i = 0; i < 30; i++) {
        String unused = world.start(RehearsedDefinitions.BAD);
      }
    }
    int ticks = 300 + random.nextInt(500);
    for (int i = 0; i < ticks; i++) {
      world.runFor(TICK);
      fault();
      user();
    }
    calm();
    await("every instance has ended", this::isDone);
    world.runFor(20 * WorldTime.SECOND); // all notices have come, and all stops are over
    bootMissing();
    world.runFor(15 * WorldTime.SECOND); // all workers have reported
    judge();
    new FillCheck(world, mostRunning).play();
  }

  private void put(String name) {
    world.put(world.definitions().random(name, CHILDREN));
  }

  private void start() {
    String unused = world.start(TOPS.get(random.nextInt(TOPS.size())));
  }

  private long upTo(int seconds) {
    return random.nextLong(seconds * WorldTime.SECOND);
  }

  // Faults.

  private void fault() {
    int dice = random.nextInt(1_000);
    List<WorldNode> nodes = world.cell().nodes();
    if (!nodes.isEmpty()) {
      fault(dice, nodes.get(random.nextInt(nodes.size())));
    }
    hosts.forEach(this::comesBack);
  }

  private void fault(int dice, WorldNode node) {
    if (dice < 4) {
      world.history().say(node, "freezes");
      node.freeze(upTo(30));
    } else if (dice < 9) {
      world.history().say(node, "is cut off");
      node.cut(upTo(30));
    } else if (dice < 12) {
      world.kill(node);
    } else if (dice < 15) {
      move(world.workerMaster());
    } else if (dice < 18) {
      move(world.workflowMaster());
    } else if (dice < 21) {
      restartDesk(DeskActor.PATH);
    } else if (dice < 23) {
      restartDesk(StartDeskActor.PATH);
    } else if (dice < 27) {
      world.restartWorker(node, upTo(random.nextInt(5) == 0 ? 40 : 2));
    } else if (dice < 29) {
      roleActor().slow(upTo(15));
    } else if (dice < 45) {
      anyActor().slow(upTo(20));
    } else if (dice < 60) {
      move(anyActor());
    } else if (dice < 75) {
      passivate(anyActor());
    } else if (dice < 78) {
      world.stop(node);
    } else if (dice < 84) {
      drain(node);
    } else if (dice < 87) {
      world.engine(node).workers().slots(random.nextInt(1 + world.slots().get(node.node())));
    }
  }

  private void move(DurableLife actor) {
    boolean runs =
        world.history().alive().stream()
            .anyMatch(run -> actor.path().equals(InstanceActor.path(run.key.instance())));
    if (runs) {
      world.history().does(RehearsedDeed.INSTANCE_MOVED);
    }
    world.cell().moveAnywhere(actor);
    world.history().say(actor.path(), "moves to", actor.owner());
  }

  private void passivate(DurableLife actor) {
    boolean loaded = actor.isLoaded();
    actor.passivate();
    if (loaded && !actor.isLoaded() && WorkflowsWorld.isInstance(actor.path())) {
      world.history().does(RehearsedDeed.PASSIVATED);
    }
  }

  private void restartDesk(String path) {
    for (WorldNode node : world.cell().nodes()) {
      if (node.has(path)) {
        world.history().say(path, "restarts on", node);
        node.restart(path, upTo(2));
      }
    }
  }

  private void drain(WorldNode node) {
    boolean drained = random.nextBoolean();
    if (drained && world.history().alive(node) > 0) {
      world.history().does(RehearsedDeed.DRAINED);
    }
    switch (random.nextInt(3)) {
      case 0 -> world.cell().draining(node.node(), drained);
      case 1 ->
          world.cell().tell(WorkerRegistry.PATH, new WorkersCommand.Drain(node.node(), drained));
      default -> drainHere(node, drained);
    }
  }

  private void drainHere(WorldNode node, boolean drained) {
    if (drained) {
      var unused = world.engine(node).workers().drain(Duration.ofSeconds(20));
    } else {
      world.engine(node).workers().undrain();
    }
  }

  private void comesBack(String host) {
    if (world.node(host) == null && random.nextInt(80) == 0) {
      world.boot(host);
    }
  }

  private DurableLife roleActor() {
    return random.nextBoolean() ? world.workerMaster() : world.workflowMaster();
  }

  private DurableLife anyActor() {
    List<DurableLife> all = world.cell().actors();
    return all.get(random.nextInt(all.size()));
  }

  // Users.

  private void user() {
    int dice = random.nextInt(400);
    if (dice < 8 && world.roots().size() < MOST_ROOTS) {
      start();
    } else if (dice < 14 && messages.size() < 10) {
      String definition = random.nextInt(3) == 0 ? TOPS.get(random.nextInt(TOPS.size())) : null;
      messages.add(world.message(definition));
    } else if (dice < 18 && !messages.isEmpty()) {
      world.history().does(RehearsedDeed.REPEATED);
      messages.get(random.nextInt(messages.size())).run();
    } else if (dice == 18) {
      put(TOPS.get(random.nextInt(TOPS.size())));
    } else if (dice < 21) {
      override();
    } else if (dice == 21) {
      world.cell().tell(WorkerRegistry.PATH, new WorkersCommand.Weigh("d0", 1 + random.nextInt(5)));
      world.cell().tell(StartLedger.PATH, new LedgerCommand.Weigh("d0", 1 + random.nextInt(5)));
    } else if (dice < 40) {
      change(dice);
    }
  }

  private void override() {
    Integer credit = random.nextInt(4) == 0 ? null : random.nextInt(3);
    BrakeOverride override =
        random.nextBoolean()
            ? null
            : new BrakeOverride(credit, "a user", null, WorkflowsWorld.EPOCH);
    if (override != null) {
      world.history().does(RehearsedDeed.OVERRIDDEN);
    }
    String definition = TOPS.get(random.nextInt(TOPS.size()));
    world.cell().tell(StartLedger.PATH, new LedgerCommand.Override(definition, override));
  }

  /** Changes an instance that users or messages have started; of those that ended, if one has. */
  private void change(int dice) {
    List<String> all = new ArrayList<>(world.roots());
    world.chains().values().forEach(all::addAll);
    if (dice >= 24 && dice < 33 && all.stream().anyMatch(this::hasEnded)) {
      all.removeIf(id -> !hasEnded(id));
    }
    if (all.isEmpty()) {
      return;
    }
    String id = all.get(random.nextInt(all.size()));
    InstanceData data = world.instance(id);
    if (dice < 24) {
      String forcedBy = dice == 23 ? "a user" : null;
      world.tellInstance(id, new InstanceCommand.Cancel(WorkflowsWorld.EPOCH, forcedBy));
    } else if (dice < 30) {
      world.tellInstance(id, new InstanceCommand.Retry(WorkflowsWorld.EPOCH));
    } else if (dice < 33 && data != null && data.spec() != null) {
      var graph = world.definition(data).graph();
      String step = graph.step(random.nextInt(graph.size())).id();
      world.tellInstance(id, new InstanceCommand.Rerun(step, WorkflowsWorld.EPOCH));
    } else if (!world.cell().nodes().isEmpty()) {
      look(id);
    }
  }

  private void look(String id) {
    List<WorldNode> nodes = world.cell().nodes();
    InstanceCommand question =
        random.nextBoolean() ? new InstanceCommand.Look() : new InstanceCommand.Why();
    var unused =
        nodes
            .get(random.nextInt(nodes.size()))
            .durableRef(InstanceActor.path(id), InstanceCommand.class)
            .ask(question, InstanceAnswer.class, Duration.ofSeconds(10));
  }

  // The end.

  private void calm() {
    world.history().say("CALM");
    world.cell().calm();
    world.handlers().calm();
    world.builders().calm();
    bootMissing();
    for (String host : hosts) {
      world.cell().draining(host, false);
      world.cell().tell(WorkerRegistry.PATH, new WorkersCommand.Drain(host, false));
    }
    restoreWorkers();
    TOPS.forEach(
        name -> world.cell().tell(StartLedger.PATH, new LedgerCommand.Override(name, null)));
  }

  private void restoreWorkers() {
    for (WorldNode node : world.cell().nodes()) {
      world.engine(node).workers().undrain();
      world.engine(node).workers().slots(world.slots().get(node.node()));
    }
  }

  /** A node whose name was taken while it was away has ended itself. */
  private void bootMissing() {
    hosts.stream().filter(host -> world.node(host) == null).forEach(world::boot);
  }

  private void await(String what, BooleanSupplier condition) {
    for (int i = 0; i < MOST_CALM_SECONDS; i++) {
      world.runFor(WorldTime.SECOND);
      if (i % 10 == 9) {
        bootMissing();
      }
      if (condition.getAsBoolean()) {
        return;
      }
    }
    world
        .history()
        .rule(
            false,
            "L1: it does not come that %s: %s%n%s",
            what,
            world.instances().stream().filter(id -> !hasEnded(id)).map(world::instance).toList(),
            world.chains().entrySet().stream()
                .filter(chain -> !isOver(chain))
                .map(world::message)
                .toList());
  }

  private boolean isDone() {
    return world.roots().stream().allMatch(this::hasEnded)
        && world.instances().stream().allMatch(this::hasEnded)
        && world.chains().entrySet().stream().allMatch(this::isOver)
        && world.history().alive().isEmpty();
  }

  private boolean hasEnded(String id) {
    InstanceData data = world.instance(id);
    return data != null && data.outcome() != null;
  }

  private boolean isOver(Map.Entry<String, List<String>> chain) {
    IntakeData data = world.message(chain);
    return data != null && data.stage() == IntakeData.Stage.DONE;
  }

  private void judge() {
    for (String id : world.instances()) {
      new GraphOracle(world, id, world.instance(id)).judge();
    }
    world.chains().entrySet().forEach(this::judge);
  }

  /** N1: the message was settled, as its first instance ended, or without one. */
  private void judge(Map.Entry<String, List<String>> chain) {
    IntakeData data = world.message(chain);
    MessageReceipt receipt = world.history().receipt(data.id());
    world.history().rule(receipt != null, "N1: the message %s was never settled", data);
    @Nullable String instance = receipt.instance();
    @Nullable InstanceState first =
        instance == null ? null : world.history().ends(instance).get(0).state();
    world
        .history()
        .rule(
            receipt.outcome() == first,
            "N1: the message is settled as %s, its instance %s ended first as %s",
            receipt,
            instance,
            first);
  }
}
