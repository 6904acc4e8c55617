package io.callboard.examples.dangerous;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.admin.ActorStatus;
import io.callboard.examples.dangerous.TroubledService.Mode;
import io.callboard.guard.Guard;
import io.callboard.guard.GuardOptions;
import io.callboard.guard.GuardStatus;
import io.callboard.store.memory.MemoryStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * Demonstration of a guard before a service in trouble. Runs a service that fails for a while and
 * hangs for a while, two guarded clients of it, and a load; prints one line each second, and the
 * verdict.
 */
public final class Dangerous extends VerticleBase {
  private static final Duration TICK = Duration.ofMillis(10);

  /** Time after the last phase for the requests that are still held. */
  private static final Duration REST = Duration.ofSeconds(60);

  private final Plan plan;
  private final Consumer<String> out;
  private final Promise<Verdict> verdict = Promise.promise();
  private final TroubledService service = new TroubledService();
  private long second;
  private long arrivedBefore;

  /** Creates the demonstration as {@code vertx run} does; it prints to the standard output. */
  public Dangerous() {
    this(Plan.DEFAULT, System.out::println);
  }

  Dangerous(Plan plan, Consumer<String> out) {
    this.plan = plan;
    this.out = out;
  }

  /** Runs the demonstration on a node of its own, with a store in memory. */
  public static void main(String[] arguments) throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      var unused =
          Callboard.create(vertx, new CallboardOptions().store(MemoryStore::new))
              .await(30, TimeUnit.SECONDS);
      Dangerous example = new Dangerous();
      String id = vertx.deployVerticle(example).await(30, TimeUnit.SECONDS);
      var reached = example.verdict().await(5, TimeUnit.MINUTES);
      vertx.undeploy(id).await(30, TimeUnit.SECONDS);
    } finally {
      vertx.close().await(30, TimeUnit.SECONDS);
    }
  }

  /** Returns the verdict, once all requests are answered. */
  Future<Verdict> verdict() {
    return verdict.future();
  }

  @Override
  public Future<?> start() {
    Callboard callboard = Callboard.of(vertx);
    return service
        .start(vertx)
        .compose(
            port ->
                Future.all(prices(callboard, port), orders(callboard, port))
                    .onSuccess(both -> play(new Load(both.resultAt(0), both.resultAt(1)))));
  }

  /**
   * Starts the guard of prices: a late price is of no use, so the last known one is given
   * meanwhile.
   */
  private Future<ActorRef<Request>> prices(Callboard callboard, int port) {
    return callboard.spawn(
        "/prices",
        Guard.of(
            () -> new ServiceClient(port),
            new GuardOptions<Request>()
                .actor(GuardOptions.guarded().zone("event-loop"))
                .backoff(plan.backoff())
                .deadline(plan.deadline())
                .attempts(100)
                .fallback(price -> new Request.Price(price.number(), 999, true))),
        new ActorOptions().onBus(false));
  }

  /** Starts the guard of orders: orders must arrive, and in order, so they are held meanwhile. */
  private Future<ActorRef<Request>> orders(Callboard callboard, int port) {
    return callboard.spawn(
        "/orders",
        Guard.of(
            () -> new ServiceClient(port),
            new GuardOptions<Request>()
                .actor(GuardOptions.guarded().zone("event-loop"))
                .backoff(plan.backoff())
                .deadline(plan.deadline())
                .limit(100_000)
                .underWay(1)
                .attempts(100)),
        new ActorOptions().onBus(false));
  }

  private void play(Load load) {
    out.accept("  s  service   sent  arrived  by service  by fallback   held  lost");
    long line = vertx.setPeriodic(1_000, timer -> line(load));
    long each = plan.rate() * TICK.toMillis() / 1_000;
    long sends =
        vertx.setPeriodic(
            TICK.toMillis(), timer -> LongStream.range(0, each).forEach(i -> load.send()));
    phase(
        plan.phases().iterator(),
        () -> {
          boolean unused = vertx.cancelTimer(sends);
          settle(load, line, REST.toMillis() / TICK.toMillis());
        });
  }

  private void phase(Iterator<Plan.Phase> phases, Runnable end) {
    if (!phases.hasNext()) {
      end.run();
      return;
    }
    Plan.Phase next = phases.next();
    service.is(next.mode());
    long unused = vertx.setTimer(next.length().toMillis(), timer -> phase(phases, end));
  }

  private void settle(Load load, long line, long ticks) {
    if (!load.isOver() && ticks > 0) {
      long unused = vertx.setTimer(TICK.toMillis(), timer -> settle(load, line, ticks - 1));
      return;
    }
    boolean unused = vertx.cancelTimer(line);
    line(load);
    Verdict reached = judged(load);
    out.accept(reached.toString());
    verdict.complete(reached);
  }

  private void line(Load load) {
    long arrived = service.arrived();
    long now = arrived - arrivedBefore;
    arrivedBefore = arrived;
    Mode mode = service.mode();
    Callboard.of(vertx)
        .admin()
        .running()
        .onSuccess(
            actors ->
                out.accept(
                    "%3d  %-7s %6d  %7d  %10d  %11d  %5d  %4d"
                        .formatted(
                            ++second,
                            mode,
                            load.sent(),
                            now,
                            load.byService(),
                            load.byFallback(),
                            held(actors),
                            load.failed())));
  }

  private static long held(List<ActorStatus> actors) {
    long held = 0;
    for (ActorStatus actor : actors) {
      if (actor.details() instanceof GuardStatus guard) {
        held += guard.held() + guard.underWay();
      }
    }
    return held;
  }

  private Verdict judged(Load load) {
    List<Long> expected = LongStream.rangeClosed(1, load.orders()).boxed().toList();
    long answered = load.byService() + load.byFallback();
    return new Verdict(
        load.sent(),
        load.byService(),
        load.byFallback(),
        load.sent() - answered,
        service.arrived(true) / (plan.length(true).toMillis() / 1e3),
        service.arrived(false) / (plan.length(false).toMillis() / 1e3),
        service.orders().equals(expected),
        service.repeated());
  }

  @Override
  public Future<?> stop() {
    return Callboard.find(vertx)
        .map(node -> Future.join(node.stop("/prices"), node.stop("/orders")).<Void>mapEmpty())
        .orElseGet(Future::succeededFuture) // the node stops them when it closes
        .eventually(service::stop);
  }
}
