package io.callboard.workflows;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.testkit.internal.world.WorldNode;
import io.callboard.testkit.internal.world.WorldTime;
import io.callboard.workflows.internal.starts.IntakeStart;
import io.callboard.workflows.internal.starts.MessageBuilders;
import io.callboard.workflows.model.WorkflowException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Builder of the messages of a world: answers late, in vain, with a failure or not at all. */
final class RehearsedBuilders {
  private static final int MOST_LINKS = 3;

  private final WorkflowsHistory history;
  private final SplittableRandom random;
  private final List<String> definitions;
  private final Set<String> asked = new HashSet<>();
  private boolean calm;

  RehearsedBuilders(WorkflowsHistory history, SplittableRandom random, List<String> definitions) {
    this.history = history;
    this.random = random;
    this.definitions = definitions;
  }

  /** Lets it answer every question. */
  void calm() {
    calm = true;
  }

  /** Returns the builder as it is on a node. */
  MessageBuilders on(WorldNode node) {
    return question -> answer(node, question);
  }

  private Future<@Nullable IntakeStart> answer(WorldNode node, MessageBuilders.Question question) {
    if (!asked.add(question.id() + " " + question.links())) {
      history.does(RehearsedDeed.BUILDER_ASKED_AGAIN);
    }
    Promise<@Nullable IntakeStart> answer = Promise.promise();
    if (calm || random.nextInt(12) > 0) { // else it never answers
      long later = random.nextLong((random.nextInt(10) == 0 ? 20 : 1) * WorldTime.SECOND);
      var unused = node.schedule(later, () -> decide(question, answer));
    }
    return answer.future();
  }

  private void decide(MessageBuilders.Question question, Promise<@Nullable IntakeStart> answer) {
    boolean first = question.outcome() == null;
    int dice = random.nextInt(20);
    if (!calm && dice < 4) {
      answer.fail("no luck");
    } else if (!calm && dice == 4) {
      answer.fail(new WorkflowException(WorkflowException.Code.INVALID, "/n", "never"));
    } else if (dice == 5 || (!first && (dice < 12 || question.links() >= MOST_LINKS))) {
      answer.complete(null);
    } else {
      JsonNode input = question.message();
      Duration delay =
          !first && random.nextBoolean() ? Duration.ofSeconds(random.nextInt(8)) : Duration.ZERO;
      answer.complete(
          new IntakeStart(
              definitions.get(random.nextInt(definitions.size())),
              null,
              input,
              random.nextInt(10),
              Map.of(),
              delay));
    }
  }
}
