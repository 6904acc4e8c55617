package io.callboard.workflows.internal.worker;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.Protocol;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.placement.Offer;
import io.callboard.store.Lease;
import io.callboard.store.Member;
import io.callboard.workflows.internal.dispatch.DeskEffect;
import io.callboard.workflows.internal.dispatch.WorkMachine;
import io.callboard.workflows.internal.instance.InstanceIds;
import io.callboard.workflows.internal.protocol.DeskAnswer;
import io.callboard.workflows.internal.protocol.DeskCommand;
import io.callboard.workflows.internal.protocol.RequestAnswer;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepReports;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkerCommand;
import io.callboard.workflows.internal.protocol.WorkerId;
import io.callboard.workflows.internal.protocol.WorkersAnswer;
import io.callboard.workflows.internal.protocol.WorkersCommand;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The desk: carries out what its {@link WorkMachine} decides. Volatile child of the {@link
 * WorkerRegistry}, which gives each life of it an epoch of its own.
 *
 * <p>Orders to one worker are collected while messages wait, so that under load one message carries
 * many.
 */
public final class DeskActor extends Actor<DeskCommand> {
  /** Path of the desk, on whichever node it is. */
  public static final String PATH = WorkerRegistry.PATH + "/" + WorkerRegistry.DESK;

  private static final Logger log = LoggerFactory.getLogger(DeskActor.class);
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final Duration ASK = Duration.ofSeconds(10);
  private static final Duration LOOK = Duration.ofSeconds(3);

  /** Most orders in a message, so that it stays below what one may have. */
  private static final int MOST_ORDERS = 50;

  /** Ticks from one reading of the owners of instances to the next. */
  private static final int OWNERS_EVERY = 5;

  /** Space of the actors of instances. */
  private static final String SPACE = ActorPath.of(InstanceIds.PREFIX).space();

  private final StepReports reports;
  private final String registry;
  private final Map<WorkerId, List<WorkerCommand.Order>> orders = new LinkedHashMap<>();
  private @Nullable WorkMachine opened;
  private Set<String> drained = Set.of();
  private Set<String> leaving = Set.of();
  private Map<String, Integer> weights = Map.of();
  private boolean looking;
  private boolean reading;
  private boolean knowsOwners;
  private int ticks;
  private boolean flushes;
  private boolean refuses;

  /**
   * Creates a desk.
   *
   * @param registry life of the registry whose child it is
   */
  DeskActor(StepReports reports, String registry) {
    this.reports = reports;
    this.registry = registry;
  }

  @Override
  protected void protocol(Protocol<DeskCommand> on) {
    on.message(DeskCommand.Request.class, this::request)
        .message(DeskCommand.Cancel.class, this::cancel)
        .message(DeskCommand.News.class, news -> desk().news(news, now()))
        .message(DeskCommand.Look.class, this::look)
        .message(DeskCommand.Survey.class, survey -> reply(desk().overview(now())))
        .message(DeskCommand.Configure.class, this::configure)
        .message(DeskCommand.Enrolled.class, this::enrolled)
        .message(DeskCommand.Members.class, this::members)
        .message(DeskCommand.Owners.class, this::owners)
        .message(DeskCommand.Reported.class, e -> desk().reported(e.run(), e.durable(), now()))
        .message(DeskCommand.Tick.class, tick -> tick())
        .message(DeskCommand.Flush.class, flush -> flush());
  }

  @Override
  public @Nullable Future<?> receive(DeskCommand message) {
    Future<?> handled = super.receive(message);
    carryOut();
    return handled;
  }

  @Override
  protected Future<?> started() {
    return registry()
        .ask(new WorkersCommand.Open(registry), WorkersAnswer.class, ASK)
        .map(
            answer -> {
              open(answer);
              return null;
            });
  }

  private void open(WorkersAnswer answer) {
    if (!(answer instanceof WorkersAnswer.Opened begins)) {
      throw new IllegalStateException("the worker registry opened no desk: " + answer);
    }
    WorkMachine desk = new WorkMachine(begins.state());
    drained = begins.state().drained();
    weights = begins.state().weights();
    opened = desk;
    startPeriodicTimer("tick", TICK, new DeskCommand.Tick());
    readOwners();
    Future<Void> unused = DeskOpened.of(callboard()).publish(new DeskOpened(desk.epoch()));
  }

  private WorkMachine desk() {
    return Objects.requireNonNull(opened);
  }

  private long now() {
    return time().nanoTime();
  }

  private ActorRef<WorkersCommand> registry() {
    return callboard().durableRef(WorkerRegistry.PATH, WorkersCommand.class);
  }

  private void request(DeskCommand.Request asked) {
    long now = now();
    List<RequestAnswer> answers = new ArrayList<>(asked.requests().size());
    for (StepRequest each : asked.requests()) {
      answers.add(desk().request(each, now));
    }
    reply(new DeskAnswer.Requested(desk().epoch(), answers));
  }

  private void cancel(DeskCommand.Cancel cancel) {
    String refused = null;
    for (StepRunKey run : cancel.runs()) {
      String why = desk().cancel(run, now());
      refused = why == null ? refused : why;
    }
    if (refused != null && !refuses) { // once: they are repeated every few seconds
      refuses = true;
      log.warn("cancellations of steps are refused, and repeated by their nodes: {}", refused);
    }
    reply(new DeskAnswer.Known(refused == null ? desk().epoch() : 0, refused));
  }

  private void look(DeskCommand.Look look) {
    reply(new DeskAnswer.Places(desk().places(look.instance(), now(), time().clock().instant())));
  }

  private void configure(DeskCommand.Configure of) {
    drained = Set.copyOf(of.drained());
    weights = of.weights();
    configure();
  }

  private void configure() {
    Set<String> none = new TreeSet<>(drained);
    none.addAll(leaving);
    desk().configure(none, weights, now());
  }

  private void tick() {
    if (knowsOwners) {
      readMembers();
    }
    if (!knowsOwners || ++ticks % OWNERS_EVERY == 0) {
      readOwners();
    }
    desk().tick(now());
    flush(); // also if the mailbox had no room for the message
  }

  /** Reads who owns which instances, one reading at a time. */
  private void readOwners() {
    if (!reading) {
      reading = true;
      int partitions = callboard().leases().partitionsOfSpace();
      pipeToSelf(
          callboard().leases().stored().timeout(LOOK.toMillis(), TimeUnit.MILLISECONDS),
          read -> new DeskCommand.Owners(partitions, epochs(read.result())));
    }
  }

  private static @Nullable Map<Integer, Long> epochs(@Nullable Map<Partition, Lease> leases) {
    if (leases == null) { // the store does not answer
      return null;
    }
    Map<Integer, Long> epochs = new HashMap<>();
    leases.forEach(
        (partition, lease) -> {
          if (partition.space().equals(SPACE)) {
            epochs.put(partition.number(), lease.epoch());
          }
        });
    return epochs;
  }

  /** Begins to look at the members when it knows the owners: it may assign then. */
  private void owners(DeskCommand.Owners read) {
    reading = false;
    Map<Integer, Long> epochs = read.epochs();
    if (epochs != null) {
      desk().owners(read.partitions(), epochs, now());
      if (!knowsOwners) {
        knowsOwners = true;
        readMembers();
      }
    }
  }

  /** Reads the members, one reading at a time. */
  private void readMembers() {
    if (!looking) {
      looking = true;
      pipeToSelf(
          callboard().members().timeout(LOOK.toMillis(), TimeUnit.MILLISECONDS), DeskActor::seen);
    }
  }

  private static DeskCommand seen(AsyncResult<List<Member>> read) {
    return read.succeeded()
        ? new DeskCommand.Members(
            read.result().stream().map(Member::bootId).toList(),
            read.result().stream()
                .filter(member -> Offer.of(member).draining())
                .map(Member::name)
                .toList())
        : new DeskCommand.Members(null, null);
  }

  private void members(DeskCommand.Members seen) {
    looking = false;
    List<String> boots = seen.boots();
    if (boots != null) { // else the store does not answer, which says nothing of the members
      desk().members(Set.copyOf(boots), now());
      List<String> draining = seen.draining();
      Set<String> now = draining == null ? Set.of() : Set.copyOf(draining);
      if (!now.equals(leaving)) {
        leaving = now;
        configure();
      }
    }
  }

  private void carryOut() {
    for (DeskEffect effect : desk().effects()) {
      carryOut(effect);
    }
  }

  private void carryOut(DeskEffect effect) {
    if (effect instanceof DeskEffect.Tell tell) {
      orders.computeIfAbsent(tell.worker(), worker -> new ArrayList<>()).add(tell.order());
      if (!flushes) {
        flushes = true;
        tell(self(), new DeskCommand.Flush());
      }
    } else if (effect instanceof DeskEffect.Greet greet) {
      tell(greet.worker().node(), new WorkerCommand.DeskStarted(desk().epoch()));
    } else if (effect instanceof DeskEffect.Lost lost) {
      report(lost.run(), reports.lost(lost.run(), lost.node(), lost.cause()));
    } else if (effect instanceof DeskEffect.Cancelled cancelled) {
      report(
          cancelled.run(),
          reports.done(
              cancelled.run(), cancelled.node(), null, StepOutcome.cancelled(cancelled.cause())));
    } else if (effect instanceof DeskEffect.Enroll enroll) {
      enroll(enroll.worker(), enroll.number());
    } else if (effect instanceof DeskEffect.Forget forget) {
      List<String> boots = List.of(forget.boot());
      tell(registry(), new WorkersCommand.Forget(desk().epoch(), boots, forget.number()));
    }
  }

  private void report(StepRunKey run, Future<Void> reported) {
    pipeToSelf(reported, done -> new DeskCommand.Reported(run, done.succeeded()));
  }

  /** A request that fails is repeated with a later Hello of the worker. */
  private void enroll(WorkerId worker, long number) {
    WorkersCommand.Enroll enroll =
        new WorkersCommand.Enroll(desk().epoch(), List.of(worker), number);
    pipeToSelf(
        registry().ask(enroll, WorkersAnswer.class, ASK), done -> enrolled(worker, done.result()));
  }

  private static DeskCommand enrolled(WorkerId worker, @Nullable WorkersAnswer answer) {
    if (answer instanceof WorkersAnswer.Denied denied && denied.epoch() != null) {
      return DeskCommand.Enrolled.refused(denied.epoch());
    }
    return DeskCommand.Enrolled.of(
        answer instanceof WorkersAnswer.Done ? List.of(worker) : List.of());
  }

  private void enrolled(DeskCommand.Enrolled of) {
    Long present = of.present();
    if (present != null) {
      log.info(
          "the desk of epoch {} hears that that of epoch {} is present", desk().epoch(), present);
      desk().presentIs(present);
    }
    desk().enrolled(of.known(), now());
  }

  private void flush() {
    flushes = false;
    orders.forEach(this::announce);
    orders.forEach(this::send);
    orders.clear();
  }

  /** Tells the nodes of instances which worker gets their runs. */
  private void announce(WorkerId worker, List<WorkerCommand.Order> all) {
    Map<String, List<StepRunKey>> given = new TreeMap<>();
    for (WorkerCommand.Order each : all) {
      if (each instanceof WorkerCommand.Assign assign && assign.request().owner() != null) {
        given
            .computeIfAbsent(assign.request().node(), node -> new ArrayList<>())
            .add(assign.request().key());
      }
    }
    given.forEach((node, runs) -> tell(node, new WorkerCommand.Given(worker, runs)));
  }

  private void send(WorkerId worker, List<WorkerCommand.Order> all) {
    for (int from = 0; from < all.size(); from += MOST_ORDERS) {
      order(worker, all.subList(from, Math.min(all.size(), from + MOST_ORDERS)));
    }
  }

  /** Sends orders in one message, or in two if they are larger together than one may be. */
  private void order(WorkerId worker, List<WorkerCommand.Order> some) {
    worker(worker.node())
        .tell(WorkerCommand.Orders.to(worker, desk().epoch(), some))
        .onFailure(
            cause -> {
              int half = some.size() / 2;
              if (half > 0 && CallboardException.refusesMessage(cause)) {
                order(worker, some.subList(0, half));
                order(worker, some.subList(half, some.size()));
              } else {
                unreachable(worker.node(), cause);
              }
            });
  }

  /**
   * Tells a worker an order; one that does not reach it is asked for again, or its node is gone.
   */
  private void tell(String node, WorkerCommand command) {
    worker(node).tell(command).onFailure(cause -> unreachable(node, cause));
  }

  private ActorRef<WorkerCommand> worker(String node) {
    return callboard().ref(WorkerActor.path(node), WorkerCommand.class);
  }

  private static void unreachable(String node, Throwable cause) {
    log.debug("the worker of node {} cannot be reached", node, cause);
  }
}
