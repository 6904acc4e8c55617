package io.callboard.workflows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.testkit.internal.world.DurableLife;
import io.callboard.testkit.internal.world.WorldCell;
import io.callboard.testkit.internal.world.WorldNode;
import io.callboard.testkit.internal.world.WorldTime;
import io.callboard.testkit.internal.world.WorldWatch;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.DefinitionWriter;
import io.callboard.workflows.internal.actor.DefinitionActor;
import io.callboard.workflows.internal.actor.DefinitionNames;
import io.callboard.workflows.internal.actor.InstanceActor;
import io.callboard.workflows.internal.actor.InstanceKey;
import io.callboard.workflows.internal.actor.IntakeActor;
import io.callboard.workflows.internal.actor.StartLedger;
import io.callboard.workflows.internal.protocol.DefinitionCommand;
import io.callboard.workflows.internal.protocol.DeskCommand;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.InstanceEvent;
import io.callboard.workflows.internal.protocol.WorkerCommand;
import io.callboard.workflows.internal.starts.IntakeCommand;
import io.callboard.workflows.internal.starts.IntakeData;
import io.callboard.workflows.internal.starts.IntakeEvent;
import io.callboard.workflows.internal.worker.WorkerActor;
import io.callboard.workflows.internal.worker.WorkerRegistry;
import io.callboard.workflows.model.InstanceEnded;
import io.callboard.workflows.model.MessageReceipt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A cell with a workflow engine: registries, desks, workers, attempts, definitions, instances and
 * messages are the real actors, on nodes, a store and a network that are played.
 */
final class WorkflowsWorld implements WorldWatch {
  static final Instant EPOCH = Instant.EPOCH;

  /** Path of a durable actor that is told of the end of instances. */
  private static final String LISTENER = "/listener";

  /** Path of a durable actor that gets the receipts of messages. */
  private static final String RECEIPTS = "/receipts";

  private static final long STOP_LIMIT = 20 * WorldTime.SECOND;

  private final SplittableRandom random;
  private final WorldCell cell;
  private final WorkflowsHistory history;
  private final RehearsedFlaw.Player flaw;
  private final RehearsedWatch watch;
  private final RehearsedDefinitions definitions;
  private final RehearsedHandlers handlers;
  private final RehearsedBuilders builders;
  private final Map<String, Integer> slots = new TreeMap<>();
  private final Map<String, List<String>> types = new TreeMap<>();
  private final Map<WorldNode, RehearsedEngine> engines = new HashMap<>();
  private final Map<String, Integer> boots = new HashMap<>();
  private final Map<String, CheckedDefinition> current = new TreeMap<>();
  private final Map<String, List<InstanceEvent>> events = new TreeMap<>();
  private final Map<String, List<String>> chains = new LinkedHashMap<>();
  private final List<String> roots = new ArrayList<>();
  private int numbers;

  /**
   * Creates a world.
   *
   * @param mostRunning limit of instances that run in the cell
   * @param forMessages definitions that messages ask for
   */
  WorkflowsWorld(long seed, RehearsedFlaw what, int mostRunning, List<String> forMessages) {
    this.random = new SplittableRandom(seed);
    this.cell = new WorldCell(random.split(), this);
    this.history = new WorkflowsHistory(cell.time());
    this.flaw = new RehearsedFlaw.Player(what, cell, random.split());
    this.watch = new RehearsedWatch(this);
    this.definitions = new RehearsedDefinitions(random.split());
    this.handlers = new RehearsedHandlers(history, random.split(), slots);
    this.builders = new RehearsedBuilders(history, random.split(), forMessages);
    cell.host(InstanceActor.PREFIX + "/", node -> engine(node).instance());
    cell.host(IntakeActor.PREFIX + "/", node -> engine(node).message());
    cell.host(DefinitionActor.PREFIX + "/", node -> new DefinitionActor());
    cell.host(DefinitionNames.PREFIX + "/", node -> new DefinitionNames());
    cell.host(InstanceKey.PREFIX + "/", node -> new InstanceKey());
    cell.host(WorkerRegistry.PATH, node -> engine(node).workerMaster());
    cell.host(StartLedger.PATH, node -> new StartLedger(mostRunning, (definition, change) -> {}));
  }

  SplittableRandom random() {
    return random;
  }

  WorldCell cell() {
    return cell;
  }

  WorkflowsHistory history() {
    return history;
  }

  RehearsedDefinitions definitions() {
    return definitions;
  }

  RehearsedHandlers handlers() {
    return handlers;
  }

  RehearsedBuilders builders() {
    return builders;
  }

  void runFor(long ns) {
    cell.time().runUntil(cell.time().now() + ns);
    history.check();
  }

  // Nodes.

  /** Adds a host, and starts its first node. */
  void host(String name, int itsSlots, List<String> itsTypes) {
    slots.put(name, itsSlots);
    types.put(name, itsTypes);
    boot(name);
  }

  Map<String, Integer> slots() {
    return slots;
  }

  /** Lets the roles be held somewhere. */
  void openRoles() {
    cell.moveAnywhere(workerMaster());
    cell.moveAnywhere(workflowMaster());
  }

  DurableLife workerMaster() {
    return cell.actor(WorkerRegistry.PATH);
  }

  DurableLife workflowMaster() {
    return cell.actor(StartLedger.PATH);
  }

  RehearsedEngine engine(WorldNode node) {
    return Objects.requireNonNull(engines.get(node), "a node without an engine");
  }

  void boot(String name) {
    WorldNode node = cell.open(name, name + "-b" + boots.merge(name, 1, Integer::sum));
    history.say(node, "boots");
    RehearsedEngine engine = new RehearsedEngine(node, slots.get(name), builders.on(node));
    engines.put(node, engine);
    handlers.register(node, engine.workers(), types.get(name));
    engine.open();
  }

  @Nullable WorldNode node(String name) {
    return cell.nodes().stream()
        .filter(each -> each.node().equals(name))
        .reduce((first, last) -> last)
        .orElse(null);
  }

  void kill(WorldNode node) {
    history.say(node, "dies");
    if (history.alive(node) > 0) {
      history.does(RehearsedDeed.NODE_DIED);
    }
    cell.kill(node);
  }

  /** Stops a node in order; one that takes too long is killed. */
  void stop(WorldNode node) {
    RehearsedEngine engine = engine(node);
    if (engine.isStopping()) {
      return;
    }
    history.say(node, "stops");
    if (history.alive(node) > 0) {
      history.does(RehearsedDeed.NODE_STOPPED);
    }
    var limit = cell.time().after(STOP_LIMIT, () -> gone(node));
    engine
        .stop()
        .onComplete(
            done -> {
              limit.cancel();
              gone(node);
            });
  }

  private void gone(WorldNode node) {
    if (node.isAlive()) {
      history.say(node, "has stopped");
      cell.leave(node);
    }
  }

  @Override
  public void nameTaken(WorldNode node) {
    kill(node);
  }

  void restartWorker(WorldNode node, long afterNs) {
    history.say("the worker of", node, "restarts");
    node.restart(WorkerActor.path(node.node()), afterNs);
  }

  // Users.

  void put(CheckedDefinition definition) {
    String name = definition.definition().name();
    current.put(name, definition);
    cell.tell(
        DefinitionActor.path(name),
        new DefinitionCommand.Put(
            definition.version(), DefinitionWriter.json(definition.definition()), EPOCH));
  }

  /** Starts an instance; returns its id. */
  String start(String definition) {
    String id = "i" + numbers++;
    roots.add(id);
    cell.tell(
        InstanceActor.path(id),
        new InstanceCommand.Start(
            id,
            definition,
            null,
            input(),
            random.nextInt(10),
            Map.of(),
            null,
            null,
            cell.nodes().isEmpty() ? EPOCH : cell.nodes().get(0).time().clock().instant(),
            LISTENER));
    return id;
  }

  private JsonNode input() {
    return JsonNodeFactory.instance.objectNode().put("n", random.nextInt(10));
  }

  /** Sends a message, with a builder or for a definition; returns a task that sends it again. */
  Runnable message(@Nullable String definition) {
    String id = "m" + numbers++;
    chains.put(IntakeActor.path(id), new ArrayList<>());
    IntakeCommand.Take take =
        new IntakeCommand.Take(
            id, definition, definition == null ? "b" : null, input(), RECEIPTS, EPOCH, null, null);
    Runnable send = () -> cell.tell(IntakeActor.path(id), take);
    send.run();
    return send;
  }

  void tellInstance(String id, InstanceCommand command) {
    cell.tell(InstanceActor.path(id), command);
  }

  // State.

  /** Returns the ids of the instances that users have started. */
  List<String> roots() {
    return roots;
  }

  /** Returns the ids of all instances that there are, sub-workflows included. */
  List<String> instances() {
    return List.copyOf(events.keySet());
  }

  /** Returns the actors of messages, with the instances of each. */
  Map<String, List<String>> chains() {
    return chains;
  }

  /** Returns the committed instance; null if there is none. */
  @Nullable InstanceData instance(String id) {
    return (InstanceData) cell.actor(InstanceActor.path(id)).state();
  }

  @Nullable IntakeData message(Map.Entry<String, List<String>> chain) {
    return (IntakeData) cell.actor(chain.getKey()).state();
  }

  /** Returns the events of an instance, in their order. */
  List<InstanceEvent> events(String id) {
    return events.getOrDefault(id, List.of());
  }

  CheckedDefinition definition(InstanceData of) {
    return definitions.of(of.created().definition(), of.created().version());
  }

  /** Returns the current version of a definition. */
  String version(String definition) {
    return current.get(definition).version();
  }

  List<String> definitionNames() {
    return List.copyOf(current.keySet());
  }

  static String id(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  static boolean isInstance(String path) {
    return path.startsWith(InstanceActor.PREFIX + "/");
  }

  // What is seen.

  @Override
  public void sent(String from, String to, Object message) {
    history.say(from, ">", to, message);
  }

  @Override
  public void persisted(String path, Object event) {
    if (event instanceof InstanceEvent its) {
      history.say(path, "!", its);
      events.computeIfAbsent(id(path), id -> new ArrayList<>()).add(its);
      flaw.persisted(id(path), its);
    } else if (event instanceof IntakeEvent.Started started) {
      history.say(path, "!", started);
      chains.get(path).add(started.instance());
    }
    watch.persisted(path, event);
  }

  @Override
  public boolean stores(String to, Object message) {
    if (!flaw.stores(to, message)) {
      return false;
    }
    watch.stored(to, message);
    if (message instanceof MessageReceipt receipt) {
      history.settled(receipt);
      return false;
    } else if (message instanceof InstanceEnded end) {
      history.told(end);
      return !to.equals(LISTENER);
    }
    return true;
  }

  @Override
  public boolean arrives(String to, Object message) {
    if (!flaw.arrives(to, message)) {
      return false;
    }
    if (message instanceof WorkerCommand.Orders || message instanceof DeskCommand.News) {
      history.say(to, "<", message);
    }
    watch.arrived(to, message);
    return true;
  }

  @Override
  public Object comes(String to, Object message) {
    return flaw.comes(message);
  }

  @Override
  public void answered(String from, Object answer) {
    watch.answered(answer);
  }

  @Override
  public boolean sendsBeforeCommit(String path) {
    return flaw.sendsBeforeCommit(path);
  }
}
