package io.callboard.workflows.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.callboard.workflows.StepHandler;
import io.callboard.workflows.definition.StepRetry;
import io.callboard.workflows.model.PermanentStepException;
import io.callboard.workflows.testing.TestedStepOutcome.End;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The test kit of step handlers; what it decides are the rules of the node. */
class TestedStepTest {
  private static final TestedStep STEP = TestedStep.of("resize");

  private static final StepHandler SEES = step -> Future.succeededFuture(step.input());

  private static StepHandler returns(JsonNode output) {
    return step -> Future.succeededFuture(output);
  }

  @Test
  void aRunSeesWhatTheTestGives() {
    assertThat(STEP.run(SEES).output()).hasToString("Optional[{\"input\":null,\"outputs\":{}}]");
    TestedStep step =
        STEP.input(Map.of("name", "cat"))
            .output("fetch", List.of(1))
            .error("look", "no such host")
            .merged("both")
            .with(Map.of("width", 80));
    assertThat(step.run(SEES).output())
        .hasToString(
            "Optional[{\"input\":{\"name\":\"cat\"},\"outputs\":{\"fetch\":[1]},\"errors\":{\"look\":\"no such host\"},\"merged\":\"both\"}]");
    StepHandler tells =
        its ->
            Future.succeededFuture(
                new TextNode(
                    "%s %s %d %d %s %s"
                        .formatted(
                            its.instance(),
                            its.step(),
                            its.attempt(),
                            its.run(),
                            its.key(),
                            its.with())));
    assertThat(
            step.retry(StepRetry.ONCE.attempts(3))
                .attempt(2)
                .run(5)
                .key("k")
                .run(tells)
                .output(String.class))
        .contains("tested resize 2 5 k {\"width\":80}");
    assertThat(STEP.run(tells).output(String.class)).contains("tested resize 1 1 tested/resize {}");
  }

  @Test
  void aChangeOfTheInputByAHandlerIsSeenByNobodyElse() {
    TestedStep step = STEP.input(Map.of("n", 1)).with(Map.of("n", 1));
    StepHandler changes =
        its -> {
          its.input().withObject("/input").put("n", 2);
          its.with().withObject("").put("n", 2);
          return SEES.run(its);
        };
    assertThat(step.run(changes).output().orElseThrow().at("/input/n")).isEqualTo(new IntNode(2));
    assertThat(step.run(SEES).output().orElseThrow().at("/input/n")).isEqualTo(new IntNode(1));
  }

  @Test
  void largeOutputsAreInTheInputUpToAMebibyteTogether() {
    TestedStep one = STEP.output("small", "s").output("fetch", "x".repeat(600_000));
    JsonNode seen = one.run(SEES).output().orElseThrow();
    assertThat(seen.at("/outputs/fetch").asText()).hasSize(600_000);
    assertThat(seen.has("large")).isFalse();
    TestedStep two = one.output("scan", "y".repeat(500_000));
    JsonNode other = two.run(SEES).output().orElseThrow();
    assertThat(other)
        .hasToString(
            "{\"input\":null,\"outputs\":{\"small\":\"s\"},\"large\":{\"fetch\":{\"instance\":\"tested\",\"bytes\":600002},\"scan\":{\"instance\":\"tested\",\"bytes\":500002}}}");
    assertThat(two.run(step -> step.output("scan")).output(String.class))
        .contains("y".repeat(500_000));
    assertThat(two.run(step -> step.output("small")).output(String.class)).contains("s");
    TestedStepOutcome none = two.retry(StepRetry.ONCE.attempts(2)).run(step -> step.output("none"));
    assertThat(none.error()).contains("there is no output of a step \"none\" before step resize");
    assertThat(none.runsAgain()).as("no attempt mends that").isFalse();
  }

  @Test
  void anOutputHasTheLimitsOfTheNode() {
    assertThat(STEP.run(returns(new IntNode(3))).output(Integer.class)).contains(3);
    assertThat(STEP.run(step -> Future.succeededFuture()).output()).isEmpty();
    TextNode large = new TextNode("x".repeat(1_000_000));
    assertThat(STEP.run(returns(large)).output()).contains(large);
    TestedStepOutcome over = STEP.run(returns(new TextNode("x".repeat(16 << 20))));
    assertThat(over.end()).isEqualTo(End.FAILED);
    assertThat(over.error())
        .hasValueSatisfying(
            why -> assertThat(why).startsWith("the output of step resize has 16,777,218 bytes"));
    assertThat(over.output()).isEmpty();
  }

  @Test
  void failuresAreRetriedIfAttemptsAreLeft() {
    StepHandler busy = step -> Future.failedFuture(new IOException("busy"));
    TestedStepOutcome once = STEP.run(busy);
    assertThat(once.end()).isEqualTo(End.FAILED);
    assertThat(once.error()).contains("java.io.IOException: busy");
    assertThat(once.runsAgain()).as("a step has one attempt").isFalse();
    TestedStep three = STEP.retry(StepRetry.ONCE.attempts(3));
    TestedStepOutcome first = three.run(busy);
    assertThat(first).hasToString("FAILED: java.io.IOException: busy, runs again after PT1S");
    TestedStep second = three.after(first);
    assertThat(second.run(busy).pause()).contains(Duration.ofSeconds(2));
    TestedStepOutcome last = second.after(second.run(busy)).run(busy);
    assertThat(last.runsAgain()).isFalse();
    assertThatIllegalStateException()
        .isThrownBy(() -> three.after(last))
        .withMessage("the step does not run again after FAILED: java.io.IOException: busy");
    TestedStepOutcome permanent =
        three.run(
            step -> {
              throw new PermanentStepException("no such picture");
            });
    assertThat(permanent.error()).contains("no such picture");
    assertThat(permanent.runsAgain()).isFalse();
    assertThat(three.run(step -> null).error())
        .contains("java.lang.IllegalStateException: its handler returned null, not a future");
  }

  @Test
  void aRunIsEndedAtAnExactPoint() {
    StepHandler careful =
        step -> {
          int page = 0;
          while (!step.cancelled().isComplete()) {
            step.heartbeat(new IntNode(++page));
          }
          return Future.failedFuture("cut short");
        };
    TestedStep retried = STEP.retry(StepRetry.ONCE.attempts(2));
    TestedStepOutcome cancelled =
        retried
            .onHeartbeat(
                run -> {
                  if (run.heartbeats().size() == 3) {
                    run.cancel();
                  }
                })
            .run(careful);
    assertThat(cancelled.end()).isEqualTo(End.CANCELLED);
    assertThat(cancelled.error()).contains("it was cancelled, and ended with: cut short");
    assertThat(cancelled.heartbeats())
        .containsExactly(new IntNode(1), new IntNode(2), new IntNode(3));
    assertThat(cancelled.runsAgain()).isFalse();
    TestedStepOutcome late = retried.onHeartbeat(TestedStepRun::timeOut).run(careful);
    assertThat(late.end()).isEqualTo(End.TIMEOUT);
    assertThat(late.pause()).contains(Duration.ofSeconds(1));
    TestedStepOutcome lost = retried.onHeartbeat(TestedStepRun::lose).run(careful);
    assertThat(lost.end()).isEqualTo(End.LOST);
    StepHandler where =
        step -> Future.succeededFuture(new IntNode(10 * step.run() + step.attempt()));
    assertThat(retried.after(lost).run(where).output(Integer.class)).contains(21);
  }

  @Test
  void aSuccessInSpiteOfACancellationCounts() {
    Promise<JsonNode> promise = Promise.promise();
    TestedStepRun run = STEP.start(step -> promise.future());
    run.cancel();
    run.lose();
    promise.complete(new IntNode(1));
    assertThat(run.outcome().end()).isEqualTo(End.SUCCEEDED);
    assertThat(run.outcome().output(Integer.class)).contains(1);
  }

  @Test
  void aFutureThatDoesNotCompleteFailsItsTest() {
    Promise<JsonNode> never = Promise.promise();
    TestedStepRun run = STEP.within(Duration.ofMillis(10)).start(step -> never.future());
    run.cancel();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(run::outcome)
        .withMessage(
            "the future of the handler has not completed within PT0.01S though it was asked to end (CANCELLED)");
  }

  @Test
  void misuseIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> STEP.with(List.of(1)))
        .withMessage("the parameters of a step are an object, such as a map, not [1]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> STEP.attempt(2))
        .withMessage("the attempts of this step are 1 to 1, not 2: give it more by retry");
    TestedStep third = STEP.retry(StepRetry.ONCE.attempts(3)).attempt(3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> third.run(2))
        .withMessage("attempt 3 is run 3 or a later one, not run 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> STEP.output("fetch", "x".repeat(16 << 20)))
        .withMessageContaining("the output of step fetch has 16,777,218 bytes");
    ObjectNode large = JsonNodeFactory.instance.objectNode();
    large.put("text", "x".repeat(5_000));
    TestedStepOutcome beat =
        STEP.run(
            step -> {
              step.heartbeat(large);
              return Future.succeededFuture();
            });
    assertThat(beat.error())
        .hasValueSatisfying(why -> assertThat(why).contains("a heartbeat has 5,011 bytes as JSON"));
  }
}
