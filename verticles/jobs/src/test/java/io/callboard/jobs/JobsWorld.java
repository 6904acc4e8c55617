package io.callboard.jobs;

import io.callboard.ActorRef;
import io.callboard.jobs.internal.actor.Gate;
import io.callboard.jobs.internal.actor.HostMonitor;
import io.callboard.jobs.internal.actor.HostRuns;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.actor.JobKey;
import io.callboard.jobs.internal.actor.JobNews;
import io.callboard.jobs.internal.actor.JobObserver;
import io.callboard.jobs.internal.actor.Tombstone;
import io.callboard.jobs.internal.actor.TypeBacklog;
import io.callboard.jobs.internal.gate.GateState;
import io.callboard.jobs.internal.process.PlayedFiles;
import io.callboard.jobs.internal.process.PlayedMachine;
import io.callboard.jobs.internal.process.PlayedProcesses;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.internal.protocol.MonitorAnswer;
import io.callboard.jobs.internal.protocol.MonitorCommand;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobEnded;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.testkit.internal.world.DurableLife;
import io.callboard.testkit.internal.world.WorldCell;
import io.callboard.testkit.internal.world.WorldNode;
import io.callboard.testkit.internal.world.WorldTime;
import io.callboard.testkit.internal.world.WorldWatch;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * A cell with a scheduler: its gate, jobs, backlogs, monitors, fences and settlements of starts are
 * the real ones, on nodes, a store, a network, processes and disks that are played.
 */
final class JobsWorld implements WorldWatch {
  static final Instant EPOCH = Instant.EPOCH;

  /** Durable actor that is told of the end of each job. */
  private static final ActorRef<JobEnded> LISTENER = ActorRef.read("durable:/listener");

  /** Slots of each host. */
  static final int SLOTS = 3;

  private static final long STOP_LIMIT = 20 * WorldTime.SECOND;

  /** Observer of jobs that looks at none. */
  private static final JobObserver NOBODY =
      new JobObserver() {
        @Override
        public Runnable begins(String job) {
          return () -> {};
        }

        @Override
        public void is(Job job) {}

        @Override
        public void remains(String job, Tombstone tombstone) {}

        @Override
        public void gone(String job, long version) {}
      };

  /** Flaw of a scheduler, with which the invariants must break. */
  enum Flaw {
    NONE,
    /** A grant leaves before its handle is durable. */
    HANDLE_AFTER_START,
    /** A slot is free when its host is silent. */
    SILENCE_FREES,
    /** Slots are counted up with grants and down with releases, not derived from handles. */
    COUNTED_SLOTS,
    /** Some releases of slots are lost for good. */
    LOST_RELEASE
  }

  private final SplittableRandom random;
  private final Flaw flaw;
  private final WorldCell cell;
  private final JobsHistory history;
  private final Map<String, PlayedMachine> machines = new TreeMap<>();
  private final Map<WorldNode, PlayedMachine> machineOf = new HashMap<>();
  private final Map<WorldNode, HostStop> stops = new HashMap<>();
  private final Set<String> lostReleases = new HashSet<>();
  private final Map<String, PlayedMachine.Plan> plans = new HashMap<>();
  private final Map<String, Integer> boots = new HashMap<>();
  private final Map<String, JobType> types = new TreeMap<>();
  private final Map<String, Integer> counted = new HashMap<>();
  private final List<String> jobs = new ArrayList<>();
  private final Map<Reconciliation, Integer> rows = new EnumMap<>(Reconciliation.class);
  private boolean gateStays;
  private BiPredicate<String, Object> loses = (to, message) -> false;

  JobsWorld(long seed, Flaw flaw, List<String> hosts, List<JobType> types) {
    this.random = new SplittableRandom(seed);
    this.flaw = flaw;
    this.cell = new WorldCell(random.split(), this);
    this.history = new JobsHistory(cell.time(), SLOTS);
    cell.host(
        JobActor.PREFIX,
        node ->
            new JobActor(
                node.time().clock(), node.random(), NOBODY, job -> Future.succeededFuture()));
    cell.host(TypeBacklog.PREFIX, node -> new TypeBacklog());
    cell.host(JobKey.PREFIX, node -> new JobKey());
    cell.host(Gate.PATH, node -> new Gate(0));
    hosts.forEach(this::boot);
    types.forEach(this::putType);
    cell.moveAnywhere(gate());
  }

  SplittableRandom random() {
    return random;
  }

  WorldCell cell() {
    return cell;
  }

  JobsHistory history() {
    return history;
  }

  Map<Reconciliation, Integer> rows() {
    return rows;
  }

  List<String> jobs() {
    return jobs;
  }

  Map<String, JobType> types() {
    return types;
  }

  void runFor(long ns) {
    cell.time().runUntil(cell.time().now() + ns);
  }

  /** Loses messages to actors, durable ones included. */
  void loses(BiPredicate<String, Object> which) {
    loses = which;
  }

  /** Keeps the gate from being restarted, so that it lives long enough to ask in vain. */
  void gateStays() {
    gateStays = true;
  }

  @Override
  public boolean crashes(String path) {
    return !gateStays || !path.equals(Gate.PATH);
  }

  // Hosts.

  PlayedMachine machine(String host) {
    return machines.get(host);
  }

  /** Starts a node on its machine, as its program does. */
  void boot(String host) {
    PlayedMachine machine =
        machines.computeIfAbsent(
            host,
            name ->
                new PlayedMachine(
                    cell.time(), random.split(), history, (on, run) -> plans.get(run.jobId())));
    String boot = "b" + boots.merge(host, 1, Integer::sum);
    WorldNode node = cell.open(host, boot);
    machineOf.put(node, machine);
    history.say(node, "boots");
    PlayedProcesses processes = new PlayedProcesses(node, machine);
    PlayedFiles files = new PlayedFiles(machine, boot);
    HostRuns runs =
        new HostRuns(node, node.node(), processes, files, SLOTS, Map::of, node.time().clock());
    OrphanedRuns left = new OrphanedRuns(node, () -> machine.sweep(boot), files);
    stops.put(node, new HostStop(node, runs, processes, left, node.time().clock()));
    new SessionFence(node, processes, JobNews.of(node)).listen();
    settle(node, machine, files, runs);
  }

  /** A start that fails is tried again, as systemd does. */
  private void settle(WorldNode node, PlayedMachine machine, PlayedFiles files, HostRuns runs) {
    new OrphanedRuns(node, () -> machine.sweep(node.bootId()), files)
        .settle()
        .onSuccess(
            v ->
                node.runs(
                    HostMonitor.path(node.node()),
                    () ->
                        new HostMonitor(
                            runs,
                            files,
                            check -> new MonitorAnswer.Checked(false, null, null),
                            runs::sendReport)))
        .onFailure(e -> node.schedule(WorldTime.SECOND, () -> settle(node, machine, files, runs)));
  }

  /** Stops a node in order; one that takes too long is killed. */
  void stop(WorldNode node) {
    HostStop stop = stops.remove(node);
    if (stop == null) {
      return; // it stops already
    }
    history.say(node, "stops");
    cell.time().after(STOP_LIMIT, () -> gone(node));
    stop.start().onComplete(done -> cell.time().after(0, () -> gone(node)));
  }

  private void gone(WorldNode node) {
    if (node.isAlive()) {
      history.say(node, "has stopped");
      history.does(RehearsedDeed.STOPPED);
      cell.leave(node);
      machineOf.get(node).dies(node.bootId());
    }
  }

  void labels(String host, Map<String, String> labels) {
    cell.labels(host, labels);
    history.hostLabels(host, labels);
  }

  /** Ends a node's program from one moment to the next. */
  void kill(WorldNode node) {
    history.say(node, "dies");
    cell.kill(node);
    machineOf.get(node).dies(node.bootId());
  }

  /** Lets another machine take the name of a node that is no member any more. */
  void replace(WorldNode node) {
    history.say(node, "is replaced");
    machines.remove(node.node());
    boot(node.node());
  }

  @Override
  public void nameTaken(WorldNode node) {
    kill(node);
  }

  WorldNode node(String host) {
    return cell.nodes().stream()
        .filter(each -> each.node().equals(host))
        .reduce((first, last) -> last)
        .orElse(null);
  }

  // Users.

  void putType(JobType type) {
    types.put(type.name(), type);
    history.limit(type);
    tellGate(new GateCommand.PutType(type, null, null, null));
  }

  void putLimit(String label, int running) {
    history.labelLimit(label, running);
    tellGate(new GateCommand.PutLimit(label, running));
  }

  void tellGate(GateCommand command) {
    cell.tell(Gate.PATH, command);
  }

  void tellJob(String job, JobCommand command) {
    cell.tell(JobActor.path(job), command);
  }

  void submit(String job, JobSpec spec, PlayedMachine.Plan plan) {
    jobs.add(job);
    plans.put(job, plan);
    history.submitted(job, JobsHistory.RehearsedSpec.of(spec));
    tellJob(job, new JobCommand.Submit(job, spec, EPOCH, false, LISTENER));
  }

  static JobType type(String name, int limit, Double share) {
    RetryPolicy retry = new RetryPolicy(3, Duration.ofSeconds(1), Duration.ofSeconds(5));
    return new JobType(name, JobType.PROCESS, limit, false, retry, share);
  }

  // State.

  DurableLife gate() {
    return cell.actor(Gate.PATH);
  }

  GateState gateState() {
    GateState state = (GateState) gate().state();
    return state == null ? GateState.empty() : state;
  }

  /** Returns the committed job; null if there is none. */
  JobData job(String job) {
    JobActor.Slot slot = (JobActor.Slot) cell.actor(JobActor.path(job)).state();
    return slot == null ? null : slot.job();
  }

  RunKey run(String job, int runId) {
    return new RunKey(job, runId);
  }

  // What is seen, and done by the flaws.

  @Override
  public boolean sendsBeforeCommit(String path) {
    return flaw == Flaw.HANDLE_AFTER_START && path.equals(Gate.PATH);
  }

  @Override
  public void sent(String from, String to, Object message) {
    Reconciliation.ofSent(from, message).forEach(row -> rows.merge(row, 1, Integer::sum));
    if (!(message instanceof GateCommand.Report)) {
      history.say(from, ">", to, message);
    }
    if (from.equals(Gate.PATH) && message instanceof JobCommand.Granted granted) {
      grants(to, granted);
    }
    if (flaw == Flaw.SILENCE_FREES && message instanceof JobCommand.Silent silent) {
      tellGate(new GateCommand.Release(id(to), silent.runId()));
      tellJob(id(to), new JobCommand.Lost(silent.runId(), silent.why(), EPOCH, false));
    }
    if (flaw == Flaw.COUNTED_SLOTS && from.equals(Gate.PATH)) {
      if (message instanceof JobCommand.Granted) {
        counts(id(to), 1);
      } else if (message instanceof JobCommand.Lost) {
        counts(id(to), -1);
      }
    }
  }

  private static String id(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** I1 and I5: its handle is durable, and the handles are within the limits of this moment. */
  private void grants(String to, JobCommand.Granted granted) {
    if (flaw != Flaw.NONE) {
      return; // the processes must show it
    }
    GateState state = gateState();
    GateState.Handle handle = state.handles().get(id(to));
    history.rule(
        handle != null && handle.runId() == granted.runId(),
        "I5: run %s of %s is granted, its handle is %s",
        granted.runId(),
        to,
        handle);
    JobType type = state.types().get(handle.type());
    long taken =
        state.handles().values().stream().filter(it -> it.type().equals(type.name())).count();
    history.rule(
        !type.paused() && taken <= type.limit(),
        "I1: run %s of %s is granted, of type %s with %s handles",
        granted.runId(),
        to,
        type,
        taken);
  }

  @Override
  public boolean stores(String to, Object message) {
    if (loses.test(to, message) || losesRelease(message)) {
      return false;
    } else if (message instanceof JobEnded end) {
      history.told(end);
      return false;
    }
    Reconciliation.ofStored(to, message, gateState())
        .forEach(row -> rows.merge(row, 1, Integer::sum));
    if (flaw == Flaw.COUNTED_SLOTS && message instanceof GateCommand.Release release) {
      counts(release.job(), -1);
    }
    return true;
  }

  @Override
  public boolean arrives(String to, Object message) {
    return !loses.test(to, message) && !losesRelease(message);
  }

  /** Loses some releases, and the questions by which the gate would find that out. */
  private boolean losesRelease(Object message) {
    if (flaw != Flaw.LOST_RELEASE) {
      return false;
    } else if (message instanceof GateCommand.Release release) {
      String run = release.job() + "/" + release.runId();
      return lostReleases.contains(run) || (random.nextInt(20) == 0 && lostReleases.add(run));
    } else if (message instanceof MonitorCommand.Disown question) {
      return question.runs().stream().anyMatch(lostReleases::contains);
    }
    return message instanceof GateCommand.Disowned answer
        && answer.runs().stream().anyMatch(lostReleases::contains);
  }

  /**
   * A gate that counts would compare its counter with the limit: the same as to compare the handles
   * with a limit that has drifted as far as the counter has from them.
   */
  private void counts(String job, int by) {
    JobSpec spec = job(job) == null ? null : job(job).spec();
    if (spec != null && types.containsKey(spec.type())) {
      String name = spec.type();
      int count = Math.max(0, counted.merge(name, by, Integer::sum));
      counted.put(name, count);
      long handles =
          gateState().handles().values().stream().filter(it -> it.type().equals(name)).count();
      JobType type = types.get(name);
      int drifted = (int) Math.max(0, type.limit() + handles - count);
      cell.time()
          .after(
              0,
              () ->
                  tellGate(
                      new GateCommand.PutType(
                          new JobType(
                              name,
                              type.runner(),
                              drifted,
                              gateState().types().get(name).paused(),
                              type.retry(),
                              type.maxShare()),
                          null,
                          null,
                          null)));
    }
  }
}
