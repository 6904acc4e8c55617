package io.callboard.dashboard.internal.live;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which views are read again. */
class ViewsTest {
  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();
  private final Views views = new Views(context, (view, change) -> {});
  private final Deque<Map<String, ObjectNode>> answers = new ArrayDeque<>();
  private long tick;

  @AfterEach
  void close() {
    await(vertx.close());
  }

  private static Map<String, ObjectNode> jobs(@Nullable String missing) {
    JsonNode job = JsonNodeFactory.instance.objectNode().put("id", "a");
    return Topics.listed(List.of(job), missing);
  }

  /** Lets one tick pass. */
  private void tick() {
    Promise<Void> read = Promise.promise();
    context.runOnContext(v -> views.readDue(++tick).onComplete(read));
    await(read.future());
  }

  @Test
  void anIncompleteListIsReadAgainUntilItIsWhole() {
    answers.add(jobs("no answer from n2"));
    answers.add(jobs(null));
    View view =
        views.open(
            new LiveTopic("jobs", () -> Future.succeededFuture(answers.removeFirst()), 1, true));
    tick();
    assertThat(view.rows()).containsOnlyKeys("a", "missing");
    assertThat(view.rows().get("missing"))
        .isEqualTo("{\"missing\":\"no answer from n2\",\"key\":\"missing\"}");
    for (int i = 0; i < Views.AGAIN_TICKS; i++) {
      assertThat(view.rows()).containsKey("missing");
      tick();
    }
    assertThat(view.rows()).containsOnlyKeys("a");
    for (int i = 0; i < Views.AGAIN_TICKS; i++) {
      tick(); // a reading more would find no answer
    }
    assertThat(view.failure()).isNull();
    assertThat(view.loaded()).isTrue();
  }
}
