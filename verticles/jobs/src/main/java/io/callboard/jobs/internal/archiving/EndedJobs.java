package io.callboard.jobs.internal.archiving;

import io.callboard.jobs.internal.index.EndCutoffs;
import io.callboard.jobs.internal.index.EndedJob;
import io.callboard.jobs.internal.index.IndexAnswer;
import io.callboard.jobs.model.JobState;
import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Ended jobs of the cell that have a record, as the nodes have answered: how many there are, and
 * the oldest of them. The answers of nodes that are missing only delay what is to be done.
 */
@Machine
final class EndedJobs {
  private final List<IndexAnswer.Ended> answers;
  private final int most;

  /**
   * Merges answers.
   *
   * @param most number of jobs of each kind that was asked for
   */
  EndedJobs(Collection<IndexAnswer.Ended> answers, int most) {
    this.answers = List.copyOf(answers);
    this.most = most;
  }

  /** Returns the number of ended jobs. */
  int size() {
    return answers.stream().mapToInt(IndexAnswer.Ended::ended).sum();
  }

  /** Returns the number of ended jobs that are to be written to the database. */
  int unwritten() {
    return answers.stream().mapToInt(IndexAnswer.Ended::unwritten).sum();
  }

  /** Returns the oldest ended jobs that are to be written to the database. */
  List<EndedJob> waiting(int atMost) {
    return oldest(IndexAnswer.Ended::waiting).stream().limit(atMost).toList();
  }

  /** Returns some deleted jobs whose rows are to be deleted. */
  List<String> deleted() {
    return answers.stream().flatMap(answer -> answer.deleted().stream()).toList();
  }

  private List<EndedJob> oldest(Function<IndexAnswer.Ended, List<EndedJob>> kind) {
    return answers.stream()
        .flatMap(answer -> kind.apply(answer).stream())
        .distinct()
        .sorted(EndedJob.OLDEST_FIRST)
        .limit(most)
        .toList();
  }

  /** Returns jobs whose records may be removed: the oldest ones, and those beyond their age. */
  Set<EndedJob> ready() {
    Set<EndedJob> ready = new HashSet<>(oldest(IndexAnswer.Ended::successes));
    ready.addAll(oldest(IndexAnswer.Ended::others));
    ready.addAll(oldest(IndexAnswer.Ended::old));
    return ready;
  }

  /**
   * Returns jobs whose records are to be removed now: of those that may be, the ones that ended too
   * long ago, and the oldest of those beyond the number to keep; successes before others.
   *
   * @param kept number of jobs to keep of those that may go
   * @param cutoffs times before which jobs are too old, whatever their number
   * @param page maximum number to return
   * @param told jobs that go already; these are not returned
   */
  List<EndedJob> due(int kept, EndCutoffs cutoffs, int page, Predicate<EndedJob> told) {
    List<EndedJob> due = new ArrayList<>();
    int excess = answers.stream().mapToInt(IndexAnswer.Ended::ready).sum() - kept;
    for (EndedJob ended : successesFirst()) {
      boolean goes = excess > 0 || ended.at().isBefore(cutoffs.of(ended.type(), ended.state()));
      if (goes) {
        excess--;
      }
      if (goes && due.size() < page && !told.test(ended)) {
        due.add(ended);
      }
    }
    return due;
  }

  private List<EndedJob> successesFirst() {
    return ready().stream()
        .sorted(
            Comparator.<EndedJob, Boolean>comparing(job -> job.state() != JobState.SUCCEEDED)
                .thenComparing(EndedJob.OLDEST_FIRST))
        .toList();
  }
}
