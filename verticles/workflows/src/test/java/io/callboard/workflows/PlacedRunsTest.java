package io.callboard.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import io.callboard.workflows.internal.protocol.RunPlace;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.WorkflowWhy;
import io.callboard.workflows.model.WorkflowWhy.StepWhy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlacedRunsTest {
  private static final Instant NOW = Instant.EPOCH.plusSeconds(100);

  private static String why(RunPlace.State state, @Nullable String why) {
    return of("requested", state, why).text();
  }

  private static StepWhy of(String kind, RunPlace.State state, @Nullable String why) {
    return of(kind, place(state, why, null, null));
  }

  private static StepWhy of(String kind, RunPlace place) {
    return PlacedRuns.of(known(kind), List.of(place), NOW).steps().get("scan");
  }

  private static WorkflowWhy known(String kind) {
    return new WorkflowWhy(
        InstanceState.RUNNING,
        "it runs",
        Instant.EPOCH,
        Map.of("scan", new StepWhy(kind, "as its node knows", null)),
        3);
  }

  private static RunPlace place(
      RunPlace.State state,
      @Nullable String why,
      @Nullable JsonNode heartbeat,
      @Nullable Instant heartbeatAt) {
    return new RunPlace(
        new StepRunKey("i", "scan", 1),
        state,
        "one/b/1",
        "one",
        Instant.EPOCH,
        null,
        why,
        heartbeat,
        heartbeatAt);
  }

  private static String beats(String kind, @Nullable Instant at) {
    return of(kind, place(RunPlace.State.RUNNING, null, IntNode.valueOf(42), at)).text();
  }

  @Test
  void aStepThatHasASlotAndNoThreadDoesNotSayThatItRuns() {
    assertThat(why(RunPlace.State.RUNNING, null))
        .isEqualTo("it runs on worker one/b/1 since 1970-01-01T00:00:00Z");
    assertThat(why(RunPlace.State.ASSIGNED, "it waits for a thread of the zone scanner"))
        .isEqualTo(
            "it is with worker one/b/1 since 1970-01-01T00:00:00Z: it waits for a thread of the"
                + " zone scanner");
  }

  @Test
  void theDeskExplainsAStepThatIsQueuedThereButRunsForItsNode() {
    StepWhy queued = of("running", RunPlace.State.QUEUED, "no worker offers ocr");
    assertThat(queued.kind()).isEqualTo("queued");
    assertThat(queued.text()).endsWith(": no worker offers ocr");
    assertThat(of("running", RunPlace.State.ASSIGNED, null).kind()).isEqualTo("queued");
    assertThat(of("running", RunPlace.State.RUNNING, null).text()).isEqualTo("as its node knows");
    assertThat(of("cancelling", RunPlace.State.QUEUED, null).kind()).isEqualTo("cancelling");
  }

  @Test
  void aStepThatRunsSaysWhenItsHandlerWasHeardLastWhoeverKnowsThatItRuns() {
    Instant at = NOW.minusSeconds(7);
    assertThat(beats("requested", at))
        .isEqualTo(
            "it runs on worker one/b/1 since 1970-01-01T00:00:00Z; last heartbeat 7 s ago: 42");
    assertThat(beats("running", at)).isEqualTo("as its node knows; last heartbeat 7 s ago: 42");
    assertThat(beats("running", null)).isEqualTo("as its node knows; last heartbeat: 42");
    assertThat(beats("running", NOW.plusSeconds(2)))
        .as("a clock is ahead")
        .contains("last heartbeat 0 s ago");
  }

  @Test
  void theNumberOfOtherStepsStays() {
    List<RunPlace> places = List.of(place(RunPlace.State.QUEUED, "all are busy", null, null));
    assertThat(PlacedRuns.of(known("requested"), places, NOW).more()).isEqualTo(3);
  }

  @Test
  void aStepThatWaitsForAFullZoneSaysSo() {
    String full =
        "the workers that offer ocr have no slots: one in its zone scanner (the zone is full)";
    assertThat(why(RunPlace.State.QUEUED, full)).endsWith(": " + full);
  }
}
