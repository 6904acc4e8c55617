package io.callboard.internal.zone;

import static io.callboard.internal.Waits.await;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.Protocol;
import io.callboard.internal.Waits;
import io.callboard.zone.ZoneDefaults;
import io.callboard.zone.ZoneOptions;
import io.callboard.zone.ZonePriority;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks of the contexts of a zone that has closed: all of them run, in order. */
class ClosedZoneTest {
  private static final int CONTEXTS = 20;
  private static final int EACH = 10;
  private static final Duration SPARES = Duration.ofMillis(50);

  private final List<ExecutorService> given = new ArrayList<>();

  /** Kinds of zones with threads. */
  enum Shape {
    FIXED,
    ELASTIC,
    FORK_JOIN,
    VIRTUAL,
    EXECUTOR,
    REFUSING_EXECUTOR;

    boolean isHere() {
      return this != VIRTUAL || Runtime.version().feature() >= 21;
    }
  }

  @AfterEach
  void end() throws Exception {
    given.forEach(ExecutorService::shutdownNow);
    for (ExecutorService each : given) {
      Waits.until("its threads end", each::isTerminated);
    }
  }

  private ZoneOptions options(Shape shape) {
    return switch (shape) {
      case FIXED -> ZoneOptions.fixed(1);
      case ELASTIC -> ZoneOptions.elastic(1, 2);
      case FORK_JOIN -> ZoneOptions.forkJoin(1);
      case VIRTUAL -> ZoneOptions.virtual();
      case EXECUTOR -> ZoneOptions.of(given(new LinkedBlockingQueue<>()));
      case REFUSING_EXECUTOR -> ZoneOptions.of(given(new SynchronousQueue<>()));
    };
  }

  private ExecutorService given(BlockingQueue<Runnable> queue) {
    ExecutorService executor = new ThreadPoolExecutor(1, 1, 1, SECONDS, queue);
    given.add(executor);
    return executor;
  }

  /** Context of an actor, and what has run on it. */
  private static final class Place {
    private final ContextInternal context;
    private final List<Integer> ran = Collections.synchronizedList(new ArrayList<>());

    @SuppressWarnings("NullAway") // nothing is deployed on it
    Place(ZoneStage stage) {
      context = stage.zones.context(ZoneStage.ZONE, ZonePriority.NORMAL, null, "/a");
    }

    void schedule(Zone zone, int number, CountDownLatch left) {
      zone.schedule(
          context,
          "/a",
          () -> {
            ran.add(number);
            left.countDown();
          });
    }
  }

  /** Waits for the latch, whoever interrupts the thread. */
  private static void stubborn(CountDownLatch latch) {
    boolean opened = false;
    while (!opened) {
      try {
        latch.await();
        opened = true;
      } catch (InterruptedException e) {
        opened = false;
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void tasksThatWaitAtItsEndRunAndSoDoLaterOnes(Shape shape) throws Exception {
    if (!shape.isHere()) {
      return;
    }
    try (ZoneStage stage = new ZoneStage(options(shape))) {
      CountDownLatch held = new CountDownLatch(1);
      CountDownLatch open = new CountDownLatch(1);
      CountDownLatch left = new CountDownLatch(CONTEXTS * EACH);
      Place holder = new Place(stage);
      List<Place> places = new ArrayList<>();
      for (int i = 0; i < CONTEXTS; i++) {
        places.add(new Place(stage));
      }
      stage.zone.schedule(
          holder.context,
          "/holder",
          () -> {
            held.countDown();
            stubborn(open);
          });
      Waits.opened(held);
      for (int n = 1; n <= EACH / 2; n++) {
        for (Place place : places) {
          place.schedule(stage.zone, n, left);
        }
      }
      stage.zones.close();
      for (int i = 0; i < CONTEXTS + 1; i++) {
        stage.zone.leave();
      }
      given.forEach(ExecutorService::shutdownNow); // as an application may, now
      for (int n = EACH / 2 + 1; n <= EACH; n++) {
        for (Place place : places) {
          place.schedule(stage.zone, n, left);
        }
      }
      open.countDown();
      Waits.opened(left);
      assertThat(places)
          .allSatisfy(
              place ->
                  assertThat(place.ran).isEqualTo(IntStream.rangeClosed(1, EACH).boxed().toList()));
      assertThat(stage.status().queued()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tasksThatAreStuckForEverKeepNoOthersWaiting(Shape shape) throws Exception {
    if (!shape.isHere()) {
      return;
    }
    CountDownLatch open = new CountDownLatch(1);
    try (ZoneStage stage = new ZoneStage(options(shape), SPARES)) {
      List<Place> stuck = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        stuck.add(new Place(stage));
      }
      Place early = new Place(stage);
      Place late = new Place(stage);
      CountDownLatch left = new CountDownLatch(2);
      stage.zone.schedule(stuck.get(0).context, "/stuck", () -> stubborn(open));
      stage.zone.schedule(stuck.get(1).context, "/stuck", () -> stubborn(open));
      early.schedule(stage.zone, 1, left);
      stage.zones.close();
      for (int i = 0; i < stuck.size() + 2; i++) {
        stage.zone.leave();
      }
      stage.zone.schedule(stuck.get(2).context, "/stuck", () -> stubborn(open));
      stage.zone.schedule(stuck.get(3).context, "/stuck", () -> stubborn(open));
      late.schedule(stage.zone, 2, left);
      Waits.opened(left);
    } finally {
      open.countDown();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFutureOfAnActorCompletesThoughItsZoneHasClosed(Shape shape) throws Exception {
    if (!shape.isHere()) {
      return;
    }
    try (ZoneStage stage = new ZoneStage(options(shape), SPARES)) {
      Place place = new Place(stage);
      Promise<String> promise = place.context.promise();
      Future<Context> ranOn = promise.future().map(done -> Vertx.currentContext());
      stage.zones.close();
      stage.zone.leave();
      promise.complete("from elsewhere");
      assertThat(await(ranOn)).isSameAs(place.context);
      Waits.until("no thread is left", () -> threads().isEmpty());
    }
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("callboard-test-" + ZoneStage.ZONE))
        .toList();
  }

  /** Asks for a connection and does not wait for it. */
  private static final class Caller extends Actor<String> {
    private final HttpClient client;
    private final int port;

    Caller(HttpClient client, int port) {
      this.client = client;
      this.port = port;
    }

    @Override
    protected void protocol(Protocol<String> on) {
      on.message(
          String.class,
          path -> {
            var unused = client.request(HttpMethod.GET, port, "127.0.0.1", path);
            reply("asked");
          });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {ZoneDefaults.DEFAULT, ZoneDefaults.BLOCKING, ZoneDefaults.EVENT_LOOP})
  void theVertxClosesThoughAnActorWaitedForAConnection(String zone) throws Exception {
    Vertx elsewhere = Vertx.vertx();
    Vertx vertx = Vertx.vertx();
    try {
      HttpServer server =
          await(elsewhere.createHttpServer().requestHandler(r -> {}).listen(0, "127.0.0.1"));
      HttpClient client = vertx.createHttpClient(new PoolOptions().setHttp1MaxSize(1));
      Callboard node = await(Callboard.create(vertx, new CallboardOptions().name("caller")));
      ActorRef<String> caller =
          await(
              node.spawn(
                  "/caller",
                  () -> new Caller(client, server.actualPort()),
                  new ActorOptions().zone(zone)));
      for (String path : List.of("/has the connection", "/waits for it")) {
        assertThat(await(caller.ask(path, String.class, Duration.ofSeconds(10))))
            .isEqualTo("asked");
      }
      await(node.close());
    } finally {
      await(vertx.close());
      await(elsewhere.close());
    }
  }
}
