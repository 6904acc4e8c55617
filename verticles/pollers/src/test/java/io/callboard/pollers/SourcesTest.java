package io.callboard.pollers;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.pollers.model.AcceptedMessage;
import io.callboard.pollers.model.PollersException;
import io.callboard.pollers.model.SourceStatus;
import io.callboard.pollers.model.SourceView;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.PlayedQueue;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceKind;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.workflows.StartRequest;
import io.callboard.workflows.WorkflowBuilder;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.model.WorkflowsOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sources with real workflows, jobs and actors on one node; the queue is played. */
class SourcesTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration ASK = Duration.ofSeconds(10);

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final PlayedKind kind = new PlayedKind();
  private final PlayedQueue queue = kind.queue("in");
  private final List<JsonNode> inputs = new CopyOnWriteArrayList<>();
  private final Promise<Void> gate = Promise.promise();
  private Callboard callboard;
  private Grid grid;
  private Jobs jobs;
  private Workflows workflows;
  private @Nullable Sources sources;

  @BeforeEach
  void start() throws Exception {
    callboard = nodes.open("n1");
    Path data =
        Files.createDirectories(Path.of("target", "sources-test", UUID.randomUUID().toString()));
    grid = await(Grid.start(callboard, GridOptions.DEFAULT));
    jobs =
        await(
            Jobs.start(
                callboard, new JobsOptions(data, String.valueOf(data.getFileName()), 4, 50)));
    workflows = await(Workflows.start(callboard, grid, jobs, WorkflowsOptions.DEFAULT));
    workflows
        .workers()
        .handle(
            "index",
            step -> {
              inputs.add(step.input().get("input"));
              return Future.succeededFuture(step.input());
            });
    workflows
        .workers()
        .handle(
            "hold",
            step -> {
              inputs.add(step.input().get("input"));
              return gate.future().map(v -> step.input());
            });
    workflows
        .workers()
        .handle(
            "fail",
            step -> {
              inputs.add(step.input().get("input"));
              return Future.failedFuture("no ink");
            });
    for (String each : List.of("index", "hold", "fail")) {
      put(each, "handler:" + each);
    }
  }

  private void put(String name, String run) {
    assertThat(
            await(workflows.put(Workflow.define(name).step("a", run, s -> s).build().definition()))
                .isNew())
        .isTrue();
  }

  @AfterEach
  void stop() {
    if (sources != null) {
      await(sources.close());
    }
    await(workflows.close());
    await(jobs.close());
  }

  /** Starts one source, {@code in}, with these keys of its configuration. */
  private Sources source(String keys) {
    return all("'in': {'kind': 'played', 'settings': {'queue': 'in'}, %s}".formatted(keys));
  }

  private Sources all(String json) {
    JsonObject config = new JsonObject("{%s}".formatted(json).replace('\'', '"'));
    Sources made =
        await(
            Sources.start(
                callboard, grid, jobs, workflows, SourcesOptions.of(config, List.of(kind))));
    sources = made;
    return made;
  }

  private SourceView view() {
    return await(sources.source("in"));
  }

  private void status(SourceStatus status) {
    Eventually.assertThat(LONG, () -> assertThat(view().status()).isEqualTo(status));
  }

  private void completed(String... bodies) {
    Eventually.assertThat(
        LONG, () -> assertThat(queue.completed()).containsExactlyInAnyOrder(bodies));
  }

  private void dead(String body, String cause) {
    Eventually.assertThat(
        LONG,
        () -> {
          assertThat(queue.aside()).hasSize(1);
          assertThat(queue.aside().get(0).body()).hasToString(body);
          assertThat(queue.aside().get(0).cause()).contains(cause);
        });
  }

  @Test
  void aMessageIsAcknowledgedWhenItsInstanceHasEnded() {
    source("'start': {'workflow': 'hold', 'input': {'url': '${/body/url}', 'id': '${/id}'}}");
    queue.put("{\"url\": \"x\"}");
    Eventually.isTrue("it runs", () -> inputs.size() == 1);
    assertThat(inputs.get(0)).hasToString("{\"url\":\"x\",\"id\":\"id-1\"}");
    assertThat(view().inFlight()).isEqualTo(1);
    assertThat(queue.completed()).isEmpty();
    gate.complete();
    completed("{\"url\": \"x\"}");
    Eventually.assertThat(
        LONG,
        () -> {
          SourceView view = view();
          assertThat(view.totals().completed()).isEqualTo(1);
          assertThat(view.inFlight()).isZero();
          assertThat(view.status()).isEqualTo(SourceStatus.POLLING);
          assertThat(view.why()).isNull();
          assertThat(view.node()).isEqualTo("n1");
          assertThat(view.lastAckAt()).isNotNull();
          assertThat(view.lag()).isZero();
        });
  }

  @Test
  void aMessageThatRunsLongerThanItsLeaseIsNotDeliveredAgain() {
    source("'start': {'workflow': 'hold'}");
    queue.put("1");
    Eventually.isTrue("it runs", () -> inputs.size() == 1);
    long begun = System.nanoTime();
    Duration long1 = PlayedKind.LEASE.plusSeconds(2);
    Eventually.assertThat(
        LONG, () -> assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(long1));
    assertThat(queue.taken()).containsExactly("1");
    gate.complete();
    completed("1");
    assertThat(inputs).hasSize(1);
    assertThat(view().totals().taken()).isEqualTo(1);
  }

  @Test
  void aMessageIsAcknowledgedWhenItIsDurable() {
    source("'ack': 'on_accept', 'start': {'workflow': 'hold'}");
    queue.put("1", "2");
    completed("1", "2");
    Eventually.isTrue("they run", () -> inputs.size() == 2);
    gate.complete();
  }

  @Test
  void aBuilderSaysWhatStarts() {
    List<JsonNode> asked = new CopyOnWriteArrayList<>();
    WorkflowBuilder builder =
        message -> {
          asked.add(message.message());
          return Future.succeededFuture(
              message.message().get("body").asInt() == 1
                  ? Optional.of(
                      StartRequest.of("index", JsonNodeFactory.instance.textNode("built")))
                  : Optional.empty());
        };
    workflows.starts().builder("b", builder);
    source("'start': {'builder': 'b'}");
    queue.put("1", "2");
    completed("1", "2");
    assertThat(inputs).hasSize(1);
    assertThat(inputs.get(0)).hasToString("\"built\"");
    assertThat(asked.get(0).toString())
        .contains("\"source\":\"in\"", "\"headers\":{}", "\"id\":\"id-");
  }

  @Test
  void aMessageBecomesAJobAndIsTriedAgain() {
    source(
        "'retry': {'attempts': 2, 'initial': 'PT0.1S'}, 'start': {'job': 'process',"
            + " 'command': ['sh', '-c', 'exit ${/body/code}'], 'env': {'ID': '${/id}'}}");
    queue.put("{\"code\":0}", "{\"code\":3}");
    completed("{\"code\":0}");
    dead("{\"code\":3}", "2 attempts failed, the last because its job ");
    assertThat(view().totals().failed()).isEqualTo(1);
    assertThat(view().totals().dead()).isEqualTo(1);
  }

  @Test
  void aFailureIsTriedAgainAndThenSetAside() {
    source("'retry': {'attempts': 3, 'initial': 'PT0.1S'}, 'start': {'workflow': 'fail'}");
    queue.put("\"x\"");
    dead("\"x\"", "3 attempts failed, the last because its instance ");
    assertThat(inputs).hasSize(3);
    assertThat(queue.size()).isZero();
    assertThat(view().totals().failed()).isEqualTo(2);
  }

  @Test
  void whatCannotBeReadIsSetAsideAtOnce() {
    source("'start': {'workflow': 'index', 'input': {'t': '${/body/title}'}}");
    queue.put("<xml/>");
    dead("<xml/>", "the body of the message");
    queue.put("{}");
    Eventually.assertThat(LONG, () -> assertThat(queue.aside()).hasSize(2));
    assertThat(queue.aside().get(1).cause())
        .isEqualTo("the message has nothing at /body/title, which /t needs");
    assertThat(inputs).isEmpty();
  }

  /** Message of a desk. */
  record Order(String article) {}

  record Orders(List<String> articles) {}

  static final class Desk extends DurableStateActor<Order, Orders> {
    @Override
    protected Orders initial() {
      return new Orders(List.of());
    }

    @Override
    protected void protocol(Protocol<Order> on) {
      on.message(
          Order.class,
          order -> {
            if (!order.article().isEmpty()) {
              update(
                  new Orders(
                      Stream.concat(state().articles().stream(), Stream.of(order.article()))
                          .toList()));
            }
            reply(state());
          });
    }
  }

  private List<String> orders() {
    return await(callboard.durableRef("/desk", Order.class).ask(new Order(""), Orders.class, ASK))
        .articles();
  }

  @Test
  void aMessageIsToldToAnActorOnce() {
    await(callboard.spawn("/desk", Desk::new));
    all(
        """
        'in': {'kind': 'played', 'settings': {'queue': 'in'},
          'start': {'tell': '/desk', 'type': 'order', 'message': {'article': '${/body}'}}},
        'web': {'kind': 'http',
          'start': {'tell': '/desk', 'type': 'order', 'message': {'article': '${/body}'}}}
        """);
    queue.put("\"ink\"");
    completed("\"ink\"");
    for (int i = 0; i < 3; i++) {
      AcceptedMessage accepted =
          await(sources.accept("web", "m1", Buffer.buffer("\"pen\""), Map.of()));
      assertThat(accepted.key()).isEqualTo("source/web/m1#1");
    }
    Eventually.assertThat(LONG, () -> assertThat(orders()).containsExactly("ink", "pen"));
  }

  @Test
  void requestsAreAcceptedDurablyAndOnce() {
    all("'web': {'kind': 'http', 'start': {'workflow': 'index', 'input': '${/body/n}'}}");
    Buffer body = Buffer.buffer("{\"n\": 1}");
    AcceptedMessage first = await(sources.accept("web", "a", body, Map.of()));
    assertThat(await(sources.accept("web", "a", body, Map.of()))).isEqualTo(first);
    assertThat(first.ref()).isNotNull();
    Eventually.isTrue("it ran", () -> inputs.size() == 1);
    assertThat(refused(sources.accept("web", "b", Buffer.buffer("{"), Map.of())).code())
        .isEqualTo(PollersException.Code.INVALID);
    assertThat(refused(sources.accept("web", "", body, Map.of())).getMessage())
        .isEqualTo("the id of a message has 1 to 300 characters");
    assertThat(refused(sources.pause("web", "ann")).getMessage())
        .isEqualTo("source web is of kind http: its messages come by requests");
    SourceView view = await(sources.source("web"));
    assertThat(view.status()).isEqualTo(SourceStatus.ACCEPTING);
    assertThat(view.totals().completed()).isEqualTo(2);
    assertThat(view.lastError()).contains("the body of the message");
  }

  private static PollersException refused(Future<?> future) {
    return catchThrowableOfType(PollersException.class, () -> await(future));
  }

  @Test
  void operatorsPauseResumeAndDrain() {
    source("'credit': 2, 'start': {'workflow': 'hold'}");
    queue.put("1", "2", "3");
    status(SourceStatus.FULL);
    Eventually.assertThat(
        LONG,
        () ->
            assertThat(view().why())
                .isEqualTo("its credit of 2 is used up: 2 started and not ended"));
    SourceView paused = await(sources.pause("in", "ann"));
    assertThat(paused.status()).isEqualTo(SourceStatus.PAUSED);
    assertThat(paused.why()).isEqualTo("it was paused by ann");
    gate.complete();
    completed("1", "2");
    assertThat(queue.waiting()).containsExactly("3");
    assertThat(await(sources.drain("in", "bob")).why()).isEqualTo("it was drained by bob");
    status(SourceStatus.DRAINED);
    assertThat(await(sources.resume("in", "ann")).modeBy()).isEqualTo("ann");
    completed("1", "2", "3");
    assertThat(refused(sources.pause("out", "ann")).getMessage())
        .isEqualTo("there is no source \"out\"; there are [in]");
  }

  @Test
  void aSourceThatIsAwayIsOpenedAgain() {
    queue.away(true);
    source("'start': {'workflow': 'index'}");
    status(SourceStatus.BACKOFF);
    assertThat(view().why()).contains("it could not be opened: the played queue: open failed");
    queue.away(false);
    queue.put("1");
    completed("1");
    queue.failNext("poll", 1);
    queue.put("2");
    completed("1", "2");
    queue.failNext("complete", 2);
    queue.put("3");
    completed("1", "2", "3");
    assertThat(inputs).hasSize(3);
    assertThat(view().lastError()).isEqualTo("the played queue: complete failed");
  }

  @Test
  void aMissingWorkflowStopsThePollingAndItGoesOnWhenItIsThere() {
    source("'start': {'workflow': 'later'}");
    queue.put("1");
    status(SourceStatus.BRAKED);
    Eventually.assertThat(
        LONG,
        () -> assertThat(view().why()).isEqualTo("there is no workflow later: put its definition"));
    assertThat(queue.waiting()).containsExactly("1");
    put("later", "handler:index");
    completed("1");
  }

  @Test
  void aBrakeOfNothingLetsNoMoreThanOneWait() {
    assertThat(await(workflows.override("index", 0, "ann", "we look")).credit()).isZero();
    source("'start': {'workflow': 'index'}");
    queue.put("1", "2", "3", "4");
    Eventually.assertThat(LONG, () -> assertThat(queue.taken()).hasSize(1));
    status(SourceStatus.BRAKED);
    assertThat(view().why()).contains("as ann has set: we look");
    assertThat(await(workflows.starts().release("index")).credit()).isNull();
    completed("1", "2", "3", "4");
  }

  @Test
  void moreWorkIsSentBeforeTheMessageIsAcknowledged() {
    PlayedQueue out = kind.queue("out");
    queue.failNext("emit", 2);
    all(
        """
        'in': {'kind': 'played', 'settings': {'queue': 'in'}, 'start': {'workflow': 'index'},
          'onSuccess': [
            {'emit': 'done', 'body': {'was': '${/body}', 'outcome': '${/result/outcome}'},
             'headers': {'id': '${/id}'}},
            {'emit': 'far', 'source': 'out', 'body': 'text of ${/id}'}]},
        'out': {'kind': 'played', 'settings': {'queue': 'out'}, 'start': {'workflow': 'index'}}
        """);
    queue.put("7");
    completed("7");
    EmittedMessage sent = queue.emitted("done").get(0);
    assertThat(sent.body()).hasToString("{\"was\":7,\"outcome\":\"SUCCEEDED\"}");
    assertThat(sent.headers()).containsEntry("id", "id-1");
    assertThat(sent.id()).isEqualTo("source/in/id-1#1/0");
    assertThat(out.emitted("far").get(0).body()).hasToString("text of id-1");
    await(
        sources.emit(
            "out", "x", new EmittedMessage("e1", Buffer.buffer("hello"), Map.of("a", "b"))));
    assertThat(out.emitted("x").get(0).body()).hasToString("hello");
  }

  @Test
  void aKindWithoutItsClientSaysWhatToAdd() {
    SourceKind lacking =
        new SourceKind() {
          @Override
          public String name() {
            return "lacking";
          }

          @Override
          public Optional<String> artifact() {
            return Optional.of("org.example:client");
          }

          @Override
          public void check(JsonObject settings) {}

          @Override
          public Source create(Vertx vertx, String name, JsonObject settings) {
            throw new NoClassDefFoundError("org/example/Client");
          }
        };
    SourcesOptions options =
        SourcesOptions.of(
            new JsonObject(
                "{\"in\": {\"kind\": \"lacking\", \"start\": {\"workflow\": \"index\"}}}"),
            List.of(lacking));
    assertThat(refused(Sources.start(callboard, grid, jobs, workflows, options)).getMessage())
        .isEqualTo(
            "/in/kind: a source of kind lacking needs org.example:client on the class path: add that artifact");
  }

  @Test
  void whatWasTakenIsGivenBackWhenThisNodesPartEndsAndGoesOnWithTheNext() {
    source("'credit': 3, 'start': {'workflow': 'hold'}");
    queue.put("1", "2", "3", "4", "5");
    Eventually.isTrue("they run", () -> inputs.size() == 3);
    await(sources.close());
    sources = null;
    assertThat(queue.waiting()).hasSize(5);
    assertThat(queue.taken()).isEmpty();
    source("'credit': 5, 'start': {'workflow': 'hold'}");
    Eventually.isTrue("all run", () -> inputs.size() == 5);
    gate.complete();
    completed("1", "2", "3", "4", "5");
    assertThat(inputs).as("what was started is not started again").hasSize(5);
  }
}
