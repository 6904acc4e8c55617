package io.callboard.jobs.internal.archiving;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.index.EndCutoffs;
import io.callboard.jobs.internal.index.EndedJob;
import io.callboard.jobs.internal.index.IndexAnswer;
import io.callboard.jobs.model.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Retention over the answers of several nodes. */
class EndedJobsTest {
  private static final Instant BEGIN = Instant.parse("2026-11-25T00:00:00Z");

  private final List<IndexAnswer.Ended> answers = new ArrayList<>();

  private static EndedJob job(String id, JobState state, int second) {
    return new EndedJob(id, 1, "process", state, BEGIN.plusSeconds(second));
  }

  /** Adds the answer of a node, all of whose jobs may go. */
  private void node(EndedJob... jobs) {
    node(0, jobs);
  }

  /** Adds the answer of a node that has others, which are to be written before. */
  private void node(int unwritten, EndedJob... jobs) {
    answers.add(
        new IndexAnswer.Ended(
            jobs.length + unwritten,
            jobs.length,
            unwritten,
            List.of(),
            sorted(true, jobs),
            sorted(false, jobs),
            List.of(),
            List.of()));
  }

  private static List<EndedJob> sorted(boolean successes, EndedJob... jobs) {
    return List.of(jobs).stream()
        .filter(job -> (job.state() == JobState.SUCCEEDED) == successes)
        .sorted(EndedJob.OLDEST_FIRST)
        .toList();
  }

  private List<String> due(int kept, int since, int page) {
    return due(kept, since, page, Set.of());
  }

  private List<String> due(int kept, int since, int page, Set<String> told) {
    return new EndedJobs(answers, 100)
            .due(
                kept,
                new EndCutoffs(BEGIN.plusSeconds(since)),
                page,
                job -> told.contains(job.id()))
            .stream()
            .map(EndedJob::id)
            .toList();
  }

  @Test
  void theOldestSuccessesOfAllNodesGoFirstThenTheOldestOfTheOthers() {
    node(job("dead", JobState.DEAD, 1), job("third", JobState.SUCCEEDED, 3));
    node(job("second", JobState.SUCCEEDED, 2));
    node(job("expired", JobState.EXPIRED, 4));
    assertThat(due(4, 0, 9)).isEmpty();
    assertThat(due(3, 0, 9)).containsExactly("second");
    assertThat(due(1, 0, 9)).containsExactly("second", "third", "dead");
    assertThat(due(0, 0, 9)).containsExactly("second", "third", "dead", "expired");
    assertThat(due(0, 0, 2)).as("a page").containsExactly("second", "third");
  }

  @Test
  void jobsThatEndedTooLongAgoGoWhateverTheNumber() {
    node(job("old success", JobState.SUCCEEDED, 1), job("young success", JobState.SUCCEEDED, 5));
    node(job("old failure", JobState.DEAD, 2), job("young failure", JobState.DEAD, 6));
    assertThat(due(100, 5, 9)).containsExactly("old success", "old failure");
  }

  @Test
  void theAgeOfATypeCountsAndJobsKeptLongerGoOnlyByNumber() {
    EndedJob kept = new EndedJob("kept", 1, "long", JobState.SUCCEEDED, BEGIN.plusSeconds(1));
    EndedJob old = job("old", JobState.SUCCEEDED, 2);
    EndedJob young = job("young", JobState.SUCCEEDED, 9);
    EndCutoffs cutoffs = new EndCutoffs(BEGIN.plusSeconds(5), Map.of("long", BEGIN), Map.of());
    answers.add( // the page of the oldest ends before what is old
        new IndexAnswer.Ended(
            3, 3, 0, List.of(), List.of(kept), List.of(), List.of(old), List.of()));
    EndedJobs ended = new EndedJobs(answers, 1);
    assertThat(ended.due(9, cutoffs, 9, told -> false)).containsExactly(old);
    answers.add(
        new IndexAnswer.Ended(0, 0, 0, List.of(), List.of(young), List.of(), List.of(), List.of()));
    assertThat(new EndedJobs(answers, 9).due(1, cutoffs, 9, told -> false))
        .containsExactly(kept, old);
  }

  @Test
  void unwrittenJobsAndTheNewestOfTheOthersStay() {
    node(1, job("b", JobState.SUCCEEDED, 2));
    node(job("c", JobState.SUCCEEDED, 3));
    assertThat(due(1, 0, 9)).containsExactly("b");
    assertThat(new EndedJobs(answers, 9).size()).isEqualTo(3);
    assertThat(new EndedJobs(answers, 9).unwritten()).isEqualTo(1);
  }

  @Test
  void jobsThatAreBeingRemovedCountAndAreNotAskedAgain() {
    node(job("a", JobState.SUCCEEDED, 1), job("b", JobState.SUCCEEDED, 2));
    node(job("c", JobState.SUCCEEDED, 3));
    assertThat(due(1, 0, 9, Set.of("a"))).containsExactly("b");
    assertThat(due(1, 0, 9, Set.of("a", "b"))).isEmpty();
  }

  @Test
  void aNodeThatDoesNotAnswerOnlyDelaysTheRemoval() {
    node(job("a", JobState.SUCCEEDED, 1), job("b", JobState.SUCCEEDED, 2));
    assertThat(due(1, 0, 9)).containsExactly("a");
    answers.clear();
    assertThat(due(0, 9, 9)).isEmpty();
  }

  @Test
  void jobsThatWaitForTheDatabaseComeInTheOrderOfTheirEnds() {
    List<EndedJob> waiting = List.of(job("x", JobState.DEAD, 3), job("y", JobState.SUCCEEDED, 1));
    for (EndedJob each : waiting) {
      answers.add(
          new IndexAnswer.Ended(
              1, 0, 1, List.of(each), List.of(), List.of(), List.of(), List.of("d")));
    }
    EndedJobs ended = new EndedJobs(answers, 9);
    assertThat(ended.waiting(9)).extracting(EndedJob::id).containsExactly("y", "x");
    assertThat(ended.waiting(1)).extracting(EndedJob::id).containsExactly("y");
    assertThat(ended.deleted()).containsExactly("d", "d");
  }
}
