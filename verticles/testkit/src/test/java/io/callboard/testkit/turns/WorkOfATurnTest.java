package io.callboard.testkit.turns;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.answering;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.testkit.Stage;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.OpenOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Test of what a handler may wait for with the means of Vert.x, whose callbacks belong to the turn.
 */
@Tag("real")
class WorkOfATurnTest {
  private static final List<String> WAYS =
      List.of(
          "timer",
          "timer as a future",
          "blocking",
          "worker executor",
          "event bus",
          "all",
          "join of one that fails",
          "timeout",
          "file",
          "stream",
          "http",
          "nested asks",
          "ask of a durable actor",
          "recover");

  @AutoClose private static Stage stage;
  private static int port;
  private static int actors;

  record Do(String way) {}

  record Did(String way) {}

  @BeforeAll
  static void start() throws Exception {
    stage = new Stage();
    port =
        await(
                stage
                    .vertx
                    .createHttpServer()
                    .requestHandler(request -> request.response().end("body"))
                    .listen(0))
            .actualPort();
    stage.vertx.eventBus().<String>localConsumer("echo", message -> message.reply(message.body()));
    await(stage.callboard.spawn("/echo", answering(Do.class, it -> new Did(it.way()))));
    await(stage.callboard.spawn("/durable-echo", () -> new DurableEcho()));
  }

  static final class DurableEcho extends DurableStateActor<Do, Did> {
    @Override
    protected Did initial() {
      return new Did("");
    }

    @Override
    protected void protocol(Protocol<Do> on) {
      on.message(Do.class, it -> reply(new Did(it.way())));
    }
  }

  /** Begins it; the future of a step that was made in a turn. */
  private static Future<?> work(String way, Vertx vertx, Callboard callboard) {
    switch (way) {
      case "timer":
        Promise<Void> over = Promise.promise();
        long unused = vertx.setTimer(5, id -> over.complete());
        return over.future();
      case "timer as a future":
        return vertx.timer(5, MILLISECONDS);
      case "blocking":
        return vertx.executeBlocking(() -> "done", false);
      case "worker executor":
        WorkerExecutor executor = vertx.createSharedWorkerExecutor("work", 1); // held: see "http"
        return executor.executeBlocking(() -> "done").eventually(executor::close);
      case "event bus":
        return vertx.eventBus().request("echo", "hello");
      case "all":
        return Future.all(
            vertx.timer(3, MILLISECONDS), vertx.executeBlocking(() -> 1), Future.succeededFuture());
      case "join of one that fails":
        return Future.join(vertx.timer(3, MILLISECONDS), Future.failedFuture("as it should"))
            .otherwiseEmpty();
      case "timeout":
        return vertx.timer(1, HOURS).timeout(5, MILLISECONDS).otherwiseEmpty();
      case "file":
        return vertx.fileSystem().readFile("pom.xml");
      case "stream":
        return vertx
            .fileSystem()
            .open("pom.xml", new OpenOptions().setRead(true))
            .compose(
                file -> {
                  Buffer all = Buffer.buffer();
                  Promise<Buffer> read = Promise.promise();
                  file.handler(all::appendBuffer).endHandler(end -> read.complete(all));
                  return read.future();
                });
      case "http":
        HttpClient client = vertx.createHttpClient(); // one that is unreachable closes by itself
        return client
            .request(HttpMethod.GET, port, "localhost", "/")
            .compose(request -> request.send())
            .compose(response -> response.body())
            .eventually(client::close);
      case "nested asks":
        ActorRef<Do> echo = callboard.ref("/echo", Do.class);
        return echo.ask(new Do("one"), Did.class)
            .compose(one -> echo.ask(new Do("two"), Did.class));
      case "ask of a durable actor":
        return callboard.durableRef("/durable-echo", Do.class).ask(new Do("one"), Did.class);
      case "recover":
        return Future.failedFuture("as it should")
            .recover(cause -> vertx.timer(3, MILLISECONDS).mapEmpty())
            .eventually(() -> vertx.timer(3, MILLISECONDS));
      default:
        throw new AssertionError(way);
    }
  }

  static final class Volatile extends Actor<Do> {
    @Override
    protected void protocol(Protocol<Do> on) {
      on.async(
          Do.class,
          it -> work(it.way(), vertx, callboard()).onSuccess(done -> reply(new Did(it.way()))));
    }
  }

  static final class Durable extends DurableStateActor<Do, Did> {
    @Override
    protected Did initial() {
      return new Did("");
    }

    @Override
    protected void protocol(Protocol<Do> on) {
      on.async(
          Do.class,
          it ->
              work(it.way(), vertx, callboard())
                  .onSuccess(
                      done -> {
                        update(new Did(it.way()));
                        reply(state());
                      }));
    }
  }

  static Stream<Arguments> ways() {
    return WAYS.stream()
        .flatMap(
            way ->
                Stream.of(ZoneDefaults.DEFAULT, ZoneDefaults.EVENT_LOOP, ZoneDefaults.BLOCKING)
                    .flatMap(
                        zone ->
                            Stream.of(
                                Arguments.of(way, false, zone), Arguments.of(way, true, zone))));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void callbacksThatVertxCompletesBelongToTheTurn(String way, boolean durable, String zone)
      throws Exception {
    ActorOptions options = new ActorOptions(Stage.QUICK).attempts(1).zone(zone);
    ActorRef<Do> actor =
        await(
            stage.callboard.spawn(
                "/work/" + actors++, () -> durable ? new Durable() : new Volatile(), options));
    assertThat(await(actor.ask(new Do(way), Did.class)).way()).isEqualTo(way);
  }
}
