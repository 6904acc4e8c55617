package io.callboard.workflows.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.jobs.internal.call.ThreadWait;
import io.callboard.workflows.internal.starts.IntakeStart;
import io.callboard.workflows.internal.starts.MessageBuilders;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BuildActorTest {
  private static final MessageBuilders.Question QUESTION =
      new MessageBuilders.Question(
          "b", "m", JsonNodeFactory.instance.objectNode(), 1, null, null, 0);

  private final ThreadWait call = new ThreadWait("builders", Duration.ofSeconds(10));
  private final List<AsyncResult<@Nullable IntakeStart>> answers = new ArrayList<>();
  private int asked;

  private BuildActor asks(MessageBuilders builders) {
    return new BuildActor(
        question -> {
          asked++;
          return builders.ask(question);
        },
        QUESTION,
        call,
        answers::add);
  }

  @Test
  void aBuilderIsCalledOnceWhichEndsItsCall() {
    BuildActor actor = asks(question -> Future.succeededFuture());
    actor.begin();
    actor.begin();
    assertThat(asked).isEqualTo(1);
    assertThat(answers).singleElement().matches(AsyncResult::succeeded);
    assertThat(call.isOver()).isTrue();
  }

  @Test
  void aBuilderWhoseCallWasGivenBackIsNotCalled() {
    assertThat(call.givesBack()).isTrue();
    asks(question -> Future.succeededFuture()).begin();
    assertThat(asked).isZero();
    assertThat(answers).isEmpty();
  }

  @Test
  void anyErrorOfABuilderIsItsAnswer() {
    AssertionError error = new AssertionError("no assertion holds");
    asks(question -> {
          throw error;
        })
        .begin();
    assertThat(answers).singleElement().satisfies(a -> assertThat(a.cause()).isSameAs(error));
    assertThat(call.isOver()).isTrue();
  }
}
