package io.callboard.examples.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import io.callboard.workflows.StepHandler;
import io.callboard.workflows.definition.StepRetry;
import io.callboard.workflows.model.PermanentStepException;
import io.callboard.workflows.testing.TestedStep;
import io.callboard.workflows.testing.TestedStepOutcome;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A step handler, tested without a node. */
class GreetingStepTest {
  private final StepHandler greet =
      step -> {
        String name = step.input().at("/input/name").asText();
        if (name.isEmpty()) {
          return Future.failedFuture(new PermanentStepException("nobody is to be greeted"));
        } else if (step.attempt() == 1) {
          return Future.failedFuture(new IOException("busy"));
        }
        String title = step.input().at("/outputs/look/title").asText();
        return Future.succeededFuture(new TextNode("Hello " + title + name));
      };

  private final TestedStep step = TestedStep.of("greet").retry(StepRetry.ONCE.attempts(3));

  @Test
  void aGreetingHasTheTitleThatTheStepBeforeFound() {
    TestedStep ada = step.input(Map.of("name", "Ada")).output("look", Map.of("title", "Countess "));
    TestedStepOutcome first = ada.run(greet);
    assertThat(first.error()).contains("java.io.IOException: busy");
    assertThat(first.pause()).contains(Duration.ofSeconds(1));
    assertThat(ada.after(first).run(greet).output(String.class)).contains("Hello Countess Ada");
  }

  @Test
  void nobodyIsGreetedOnce() {
    TestedStepOutcome outcome = step.run(greet);
    assertThat(outcome.error()).contains("nobody is to be greeted");
    assertThat(outcome.runsAgain()).isFalse();
  }
}
