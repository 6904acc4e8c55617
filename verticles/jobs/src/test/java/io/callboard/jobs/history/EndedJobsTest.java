package io.callboard.jobs.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.history.EndedJobs.Ended;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EndedJobsTest {
  private static final Instant BEGIN = Instant.parse("2026-11-25T00:00:00Z");

  private final EndedJobs ended = new EndedJobs();

  private void put(String id, JobState state, @Nullable Integer second) {
    put(id, state, second, 1);
  }

  private void put(String id, JobState state, @Nullable Integer second, long version) {
    ended.put(
        new Job(
            id,
            "process",
            state,
            5,
            List.of("true"),
            BEGIN,
            BEGIN,
            second == null ? null : BEGIN.plusSeconds(second),
            null,
            List.of(),
            Map.of(),
            null,
            null,
            version));
  }

  private List<String> due(int kept, int since, int most) {
    return ended.due(kept, BEGIN.plusSeconds(since), most, each -> true, each -> true).stream()
        .map(Ended::id)
        .toList();
  }

  @Test
  void theOldestSuccessesGoFirstThenTheOldestOfTheOthers() {
    put("dead", JobState.DEAD, 1);
    put("third", JobState.SUCCEEDED, 3);
    put("second", JobState.SUCCEEDED, 2);
    put("expired", JobState.EXPIRED, 4);
    put("runs", JobState.RUNNING, null);
    assertThat(due(4, 0, 9)).isEmpty();
    assertThat(due(3, 0, 9)).containsExactly("second");
    assertThat(due(1, 0, 9)).containsExactly("second", "third", "dead");
    assertThat(due(0, 0, 9)).containsExactly("second", "third", "dead", "expired");
    assertThat(due(0, 0, 2)).as("a page").containsExactly("second", "third");
  }

  @Test
  void whatEndedTooLongAgoGoesWhateverTheNumber() {
    put("old success", JobState.SUCCEEDED, 1);
    put("young success", JobState.SUCCEEDED, 5);
    put("old failure", JobState.DEAD, 2);
    put("young failure", JobState.DEAD, 6);
    assertThat(due(100, 5, 9)).containsExactly("old success", "old failure");
  }

  @Test
  void anAgeOfItsOwnCountsAndOneThatIsKeptLongerGoesOnlyByNumber() {
    put("kept", JobState.SUCCEEDED, 1);
    put("old", JobState.SUCCEEDED, 2);
    put("young", JobState.SUCCEEDED, 9);
    assertThat(ended.due(9, BEGIN.plusSeconds(5), 9, each -> each.id().equals("old"), e -> true))
        .extracting(Ended::id)
        .containsExactly("old");
    assertThat(ended.due(1, BEGIN.plusSeconds(5), 9, each -> each.id().equals("old"), e -> true))
        .extracting(Ended::id)
        .containsExactly("kept", "old");
  }

  @Test
  void whatIsNotReadyCountsButStays() {
    put("a", JobState.SUCCEEDED, 1);
    put("b", JobState.SUCCEEDED, 2);
    put("c", JobState.SUCCEEDED, 3);
    assertThat(ended.due(1, BEGIN, 9, each -> true, each -> !each.id().equals("a")))
        .extracting(Ended::id)
        .containsExactly("b");
  }

  @Test
  void aJobThatRunsAgainHasNotEnded() {
    put("a", JobState.DEAD, 1, 4);
    assertThat(ended.contains("a")).isTrue();
    put("a", JobState.QUEUED, null, 5);
    assertThat(ended.contains("a")).isFalse();
    put("a", JobState.SUCCEEDED, 7, 9);
    assertThat(ended.size()).isEqualTo(1);
    assertThat(ended.due(0, BEGIN, 9, each -> true, each -> true))
        .containsExactly(new Ended("a", 9, "process", JobState.SUCCEEDED, BEGIN.plusSeconds(7)));
    ended.remove("a");
    assertThat(ended.size()).isZero();
  }
}
