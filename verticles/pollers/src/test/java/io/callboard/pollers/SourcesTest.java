package io.callboard.pollers;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.jobs.handler.PermanentJobException;
import io.callboard.jobs.model.Job;
import io.callboard.pollers.model.AcceptedMessage;
import io.callboard.pollers.model.PollersException;
import io.callboard.pollers.model.SourceStatus;
import io.callboard.pollers.model.SourceView;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.PlayedQueue;
import io.callboard.pollers.source.SourceStage;
import io.callboard.workflows.StartRequest;
import io.callboard.workflows.WorkflowBuilder;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.model.WorkflowException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What messages become, and when they are acknowledged. */
class SourcesTest extends SourcesOfOneNode {
  private static final Duration ASK = Duration.ofSeconds(10);

  @Test
  void aMessageIsAcknowledgedWhenItsInstanceHasEnded() {
    source("'start': {'workflow': 'hold', 'input': {'url': '${/body/url}', 'id': '${/id}'}}");
    queue.put("{\"url\": \"x\"}");
    eventually(() -> assertThat(inputs).as("it runs").hasSize(1));
    assertThat(inputs.get(0)).hasToString("{\"url\":\"x\",\"id\":\"id-1\"}");
    assertThat(view().inFlight()).isEqualTo(1);
    assertThat(queue.completed()).isEmpty();
    gate.complete();
    completed("{\"url\": \"x\"}");
    eventually(
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
  void aMessageIsAcknowledgedWhenItIsDurable() {
    source("'ack': 'on_accept', 'start': {'workflow': 'hold'}");
    queue.put("1", "2");
    completed("1", "2");
    eventually(() -> assertThat(inputs).as("they run").hasSize(2));
    gate.complete();
  }

  @Test
  void aBuilderChoosesTheInstanceToStart() {
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

  /** Arguments of a handler. */
  record Mail(String to, int copies) {}

  @Test
  void aMessageBecomesAJobOfAHandlerOrIsSetAsideAtOnceIfItsArgsDoNotFit() {
    List<String> ids = new CopyOnWriteArrayList<>();
    List<Mail> sent = new CopyOnWriteArrayList<>();
    await(
        jobs.handle(
            "mail",
            Mail.class,
            job -> {
              ids.add(job.job());
              sent.add(job.args());
              if (job.args().to().isEmpty()) {
                throw new PermanentJobException("no address");
              }
              return null;
            }));
    source(
        "'retry': {'attempts': 3, 'initial': 'PT0.1S'}, 'start': {'job': 'mail', 'priority': 7,"
            + " 'args': {'to': '${/body/to}', 'copies': '${/body/n}'}, 'labels': {'n': '${/body/n}'}}");
    queue.put("{\"to\":\"ann\",\"n\":2}");
    completed("{\"to\":\"ann\",\"n\":2}");
    queue.put("{\"to\":\"bob\",\"n\":\"two\"}");
    eventually(() -> assertThat(queue.aside()).hasSize(1));
    assertThat(queue.aside().get(0).cause())
        .startsWith(
            "the job of a message of source in was refused at /args/copies: the arguments of handler \"mail\" cannot be read");
    queue.put("{\"to\":\"\",\"n\":1}");
    eventually(() -> assertThat(queue.aside()).hasSize(2));
    assertThat(queue.aside().get(1).cause()).endsWith("failed: run 1 failed: no address");
    assertThat(sent).containsExactly(new Mail("ann", 2), new Mail("", 1));
    Job job = await(jobs.job(ids.get(0)));
    assertThat(job.priority()).isEqualTo(7);
    assertThat(job.labels()).isEqualTo(Map.of("n", "2", "source", "in"));
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
  void aMessageThatCannotBeReadIsSetAsideAtOnce() {
    source("'start': {'workflow': 'index', 'input': {'t': '${/body/title}'}}");
    queue.put("<xml/>");
    dead("<xml/>", "the body of the message");
    queue.put("{}");
    eventually(() -> assertThat(queue.aside()).hasSize(2));
    assertThat(queue.aside().get(1).cause())
        .isEqualTo("there is nothing at /body/title, which /input/t needs");
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
    eventually(() -> assertThat(orders()).containsExactly("ink", "pen"));
  }

  @Test
  void requestsAreAcceptedDurablyAndOnce() {
    all("'web': {'kind': 'http', 'start': {'workflow': 'index', 'input': '${/body/n}'}}");
    Buffer body = Buffer.buffer("{\"n\": 1}");
    AcceptedMessage first = await(sources.accept("web", "a", body, Map.of()));
    assertThat(await(sources.accept("web", "a", body, Map.of()))).isEqualTo(first);
    assertThat(first.ref()).isNotNull();
    eventually(() -> assertThat(inputs).as("it ran").hasSize(1));
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

  @Test
  void aRequestIsRefusedWhileItsWorkflowIsMissing() {
    all("'web': {'kind': 'http', 'start': {'workflow': 'later'}}");
    PollersException early = refused(sources.accept("web", "a", Buffer.buffer("1"), Map.of()));
    assertThat(early.code()).isEqualTo(PollersException.Code.ILLEGAL_STATE);
    assertThat(early.getMessage()).isEqualTo("there is no workflow later: put its definition");
    assertThat(await(sources.source("web")).lastError()).isEqualTo(early.getMessage());
    put("later", "handler:index");
    assertThat(await(sources.accept("web", "a", Buffer.buffer("1"), Map.of())).ref()).isNotNull();
    eventually(() -> assertThat(inputs).as("it ran").hasSize(1));
  }

  @Test
  void emissionsAreSentBeforeTheMessageIsAcknowledged() {
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
  void aSentEmissionIsNotRepeatedWhenAnotherFails() {
    PlayedQueue out = kind.queue("out");
    out.failNext("emit", 4);
    all(
        """
        'in': {'kind': 'played', 'settings': {'queue': 'in'}, 'start': {'workflow': 'index'},
          'onSuccess': [
            {'emit': 'far', 'source': 'out', 'body': '${/id}'},
            {'emit': 'done', 'body': '${/id}'},
            {'emit': 'more', 'body': '${/id}'}]},
        'out': {'kind': 'played', 'settings': {'queue': 'out'}, 'start': {'workflow': 'index'}}
        """);
    queue.put("7");
    completed("7");
    assertThat(out.emitted("far")).hasSize(1);
    assertThat(queue.emitted("done")).hasSize(1);
    assertThat(queue.emitted("more")).hasSize(1);
  }

  private void typed() {
    assertThat(
            await(
                    workflows.put(
                        Workflow.define("typed")
                            .input(Map.of("type", "integer"))
                            .step("a", "handler:index", step -> step)
                            .build()
                            .definition()))
                .isNew())
        .isTrue();
  }

  @Test
  void aMessageThatTheWorkflowRefusesIsSetAsideAndNotAcknowledged() {
    typed();
    source("'ack': 'on_accept', 'start': {'workflow': 'typed'}");
    queue.put("\"x\"", "1");
    dead("\"x\"", "the input does not match its schema at /input");
    completed("1");
    eventually(() -> assertThat(inputs).hasSize(1));
  }

  @Test
  void aRequestThatTheWorkflowRefusesIsRefused() {
    typed();
    all("'web': {'kind': 'http', 'start': {'workflow': 'typed'}}");
    PollersException wrong = refused(sources.accept("web", "a", Buffer.buffer("\"x\""), Map.of()));
    assertThat(wrong.code()).isEqualTo(PollersException.Code.INVALID);
    assertThat(wrong).hasMessageContaining("does not match its schema at /input");
    assertThat(await(sources.accept("web", "b", Buffer.buffer("1"), Map.of())).ref()).isNotNull();
  }

  @Test
  void aMessageThatTheBuilderCannotStartIsSetAsideAndNotAcknowledged() {
    typed();
    workflows
        .starts()
        .builder(
            "b",
            message ->
                Future.succeededFuture(
                    Optional.of(StartRequest.of("typed", message.message().get("body")))));
    all(
        """
        'in': {'kind': 'played', 'settings': {'queue': 'in'}, 'ack': 'on_accept',
          'start': {'builder': 'b'}},
        'web': {'kind': 'http', 'start': {'builder': 'b'}}
        """);
    queue.put("\"x\"", "1");
    dead("\"x\"", "the input does not match its schema at /input");
    completed("1");
    PollersException wrong = refused(sources.accept("web", "a", Buffer.buffer("\"x\""), Map.of()));
    assertThat(wrong.code()).isEqualTo(PollersException.Code.INVALID);
    assertThat(await(sources.accept("web", "b", Buffer.buffer("1"), Map.of())).ref()).isNotNull();
  }

  @Test
  void aRequestIsAcceptedThoughItsBuilderHasNotAnsweredYet() {
    Promise<Optional<StartRequest>> answer = Promise.promise();
    workflows.starts().builder("b", message -> answer.future());
    all("'web': {'kind': 'http', 'start': {'builder': 'b'}}");
    Future<AcceptedMessage> accepted = sources.accept("web", "a", Buffer.buffer("1"), Map.of());
    eventually(() -> assertThat(accepted.isComplete()).isTrue());
    assertThat(await(accepted).ref()).isNull();
    assertThat(await(sources.source("web")).lastError())
        .isEqualTo("message a: its builder has not answered yet");
    answer.complete(
        Optional.of(StartRequest.of("index", JsonNodeFactory.instance.textNode("built"))));
    eventually(() -> assertThat(inputs).as("it ran").hasSize(1));
    assertThat(await(sources.accept("web", "a", Buffer.buffer("1"), Map.of())).ref()).isNotNull();
    assertThat(inputs).hasSize(1);
  }

  @Test
  void aBuilderThatIsNotThereStopsThePolling() {
    source("'ack': 'on_accept', 'start': {'builder': 'b'}");
    queue.put("1");
    eventually(
        () ->
            assertThat(view().why())
                .isEqualTo("this node has no builder b: register it on all nodes"));
    assertThat(queue.waiting()).containsExactly("1");
    workflows.starts().builder("b", message -> Future.succeededFuture(Optional.empty()));
    completed("1");
  }

  @Test
  void aBuilderThatHasTroubleIsShownAndAskedAgain() {
    AtomicBoolean trouble = new AtomicBoolean(true);
    workflows
        .starts()
        .builder(
            "b",
            message ->
                trouble.get()
                    ? Future.failedFuture(
                        new WorkflowException(WorkflowException.Code.UNAVAILABLE, "no quorum"))
                    : Future.succeededFuture(Optional.empty()));
    source("'ack': 'on_accept', 'credit': 1, 'start': {'builder': 'b'}");
    queue.put("1", "2");
    eventually(() -> assertThat(view().status()).isEqualTo(SourceStatus.REFUSED));
    assertThat(view().why())
        .startsWith("its credit of 1 is used up: ")
        .endsWith("one because its builder is asked again: no quorum");
    assertThat(view().lastError()).isEqualTo("its builder is asked again: no quorum");
    trouble.set(false);
    eventually(() -> assertThat(queue.waiting()).isEmpty());
    completed("1", "2");
    assertThat(view().totals().failed()).isZero();
  }

  @Test
  void aMessageThatIsTooLargeToBeToldIsSetAside() {
    await(callboard.spawn("/desk", Desk::new));
    String large = "\"%s\"".formatted("x".repeat(9 << 20));
    source(
        "'start': {'tell': '/desk', 'type': 'order', 'message': {'article': '${/body}${/body}'}}");
    queue.put(large, "\"ink\"");
    completed("\"ink\"");
    eventually(() -> assertThat(queue.aside()).hasSize(1));
    assertThat(queue.aside().get(0).cause()).contains("bytes, the limit is");
  }

  @Test
  void aMessageWhoseTextIsNoLabelIsSetAsideWithTheLabelAndItsLimit() {
    source("'start': {'job': 'process', 'command': ['true'], 'labels': {'a/t': '${/body/title}'}}");
    String longest = "{\"title\":\"%s\"}".formatted("x".repeat(200));
    queue.put(longest);
    completed(longest);
    queue.put("{\"title\":\"%s\"}".formatted("x".repeat(201)), "{}", "{\"title\":[]}");
    eventually(() -> assertThat(queue.aside()).hasSize(3));
    assertThat(queue.aside())
        .extracting(SourceStage.Aside::cause)
        .containsExactlyInAnyOrder(
            "the job of a message of source in was refused at /labels/a~1t: a value has at most 200 characters, this has 201",
            "there is nothing at /body/title, which /labels/a~1t needs",
            "/labels/a~1t: ${/body/title} gives no text but []");
  }

  @Test
  void aJobThatIsTooLargeIsSetAside() {
    source("'start': {'job': 'process', 'command': ['echo', '${/body}']}");
    queue.put("\"%s\"".formatted("x".repeat(1 << 20)), "\"ink\"");
    completed("\"ink\"");
    eventually(() -> assertThat(queue.aside()).hasSize(1));
    assertThat(queue.aside().get(0).cause()).contains("bytes as JSON; the limit is");
  }

  @Test
  void aMessageThatTheOtherSourceRefusesForGoodIsSetAsideWithItsCause() {
    PlayedQueue out = kind.queue("out");
    queue.refuse("long");
    out.refuse("long");
    all(
        """
        'in': {'kind': 'played', 'settings': {'queue': 'in'}, 'start': {'workflow': 'index'},
          'onSuccess': {'emit': 'long'}},
        'far': {'kind': 'played', 'settings': {'queue': 'far'}, 'start': {'workflow': 'index'},
          'onSuccess': {'emit': 'long', 'source': 'out'}},
        'out': {'kind': 'played', 'settings': {'queue': 'out'}, 'start': {'workflow': 'index'}}
        """);
    queue.put("1");
    dead("1", "it was done, and what follows was not sent: the name long is too long");
    PlayedQueue far = kind.queue("far");
    far.put("2");
    eventually(() -> assertThat(far.aside()).hasSize(1));
    assertThat(far.aside().get(0).cause()).contains("the name long is too long");
    PollersException direct =
        refused(
            sources.emit(
                "out", "long", new EmittedMessage("e1", Buffer.buffer("hello"), Map.of())));
    assertThat(direct.code()).isEqualTo(PollersException.Code.INVALID);
  }
}
