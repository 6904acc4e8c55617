package io.callboard.workflows.internal.index;

import io.callboard.Callboard;
import io.callboard.grid.internal.index.MemberQuestions;
import io.callboard.grid.internal.index.MemberQuestions.IndexKind;
import io.callboard.task.BackgroundTasks;
import io.callboard.workflows.internal.starts.DefinitionCounts;
import io.callboard.workflows.model.DefinitionStats;
import io.callboard.workflows.model.InstanceCounts;
import io.callboard.workflows.model.QueueView;
import io.callboard.workflows.model.WorkflowQuery;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Questions to the indexes of all members of the cell. Any thread. */
public final class InstancePeers {
  /** Time for which a list waits for partitions that are being read or change hands. */
  static final Duration SETTLE = Duration.ofSeconds(2);

  /** Time after which a list that is not complete asks again. */
  static final Duration ASK_AGAIN = Duration.ofMillis(100);

  private final Callboard callboard;
  private final InstanceIndex index;
  private final BackgroundTasks tasks;
  private final MemberQuestions<InstancesCommand> questions;

  /** Creates the view of a node, which knows no other member before {@link #start}. */
  public InstancePeers(Callboard callboard, InstanceIndex index) {
    this.callboard = callboard;
    this.index = index;
    this.tasks = callboard.tasks("the lists of workflow instances");
    this.questions =
        new MemberQuestions<>(
            callboard, new IndexKind<>(InstancesActor::path, InstancesCommand.class));
  }

  /** Begins to follow the members of the cell; completes when they are known. */
  public Future<Void> start() {
    return questions.start();
  }

  /** Returns the first rows of a list, without those of nodes that do not answer. */
  public Future<MergedRows> rows(WorkflowQuery query, int most) {
    long beginNs = callboard.time().nanoTime();
    return tasks.call(() -> rows(query, most, beginNs));
  }

  private Future<MergedRows> rows(WorkflowQuery query, int most, long beginNs) {
    return questions
        .all(new InstancesCommand.List(query, most), InstancesAnswer.Rows.class)
        .compose(
            answers -> {
              MergedRows merged =
                  MergedRows.of(
                      answers.all(),
                      answers.missing(),
                      index.partitions(),
                      index::partition,
                      query,
                      most);
              boolean mayWait = callboard.time().nanoTime() - beginNs <= SETTLE.toNanos();
              boolean settles = merged.reading() || answers.away().isEmpty();
              if (merged.complete() || !settles || !mayWait || tasks.isClosed()) {
                return Future.succeededFuture(merged);
              }
              return tasks.pause(ASK_AGAIN).compose(v -> rows(query, most, beginNs));
            });
  }

  /**
   * Returns the numbers of instances of the nodes that answer. While a partition changes hands, its
   * instances may be counted twice or not at all for a moment.
   */
  public Future<InstanceCounts> counts() {
    return questions
        .all(new InstancesCommand.Count(), InstancesAnswer.Counts.class)
        .map(
            answers ->
                MergedCounts.of(
                    answers.all(), answers.missing(), answers.without(), index.partitions()));
  }

  /**
   * Returns the steps whose jobs are of a type that no node has made, by definition and type, the
   * longest waits first, of the nodes that answer.
   */
  public Future<List<QueueView>> waiting() {
    return questions
        .all(new InstancesCommand.Waiting(), InstancesAnswer.Waiting.class)
        .map(
            answers ->
                QueueView.merged(answers.all().stream().flatMap(its -> its.queues().stream())));
  }

  /** Returns the counts of a definition by the nodes that answer. */
  public Future<DefinitionStats> stats(String definition) {
    return questions
        .all(new InstancesCommand.Tally(definition), InstancesAnswer.Counted.class)
        .map(
            answers -> {
              DefinitionCounts sum =
                  answers.all().stream()
                      .map(InstancesAnswer.Counted::counts)
                      .reduce(DefinitionCounts::plus)
                      .orElse(DefinitionCounts.none(callboard.time().clock().instant()));
              return sum.stats(definition, !answers.missing().isEmpty());
            });
  }

  /**
   * Returns the numbers of ended instances of all nodes that answer, and at most {@code most} of
   * the instances.
   */
  public Future<MergedEnded> ended(int most, EndedOrder order) {
    return questions
        .all(new InstancesCommand.Ended(most, order.cutoff()), InstancesAnswer.Ended.class)
        .map(
            answers ->
                MergedEnded.of(answers.all(), index.partitions(), index::partition, order, most));
  }

  /**
   * Returns those of some instances that may still run: a node says so, or no node answers that
   * knows all instances of their partition.
   */
  public Future<Set<String>> mayRun(Set<String> ids) {
    return questions
        .all(new InstancesCommand.Running(List.copyOf(ids)), InstancesAnswer.Running.class)
        .map(
            answers -> {
              Set<Integer> known = new HashSet<>();
              Set<String> may = new HashSet<>(ids);
              answers.all().forEach(answer -> known.addAll(answer.owned().epochs().keySet()));
              may.removeIf(id -> known.contains(index.partition(id)));
              answers.all().forEach(answer -> may.addAll(answer.ids()));
              return may;
            });
  }

  /** Returns which of some instances are in the cell, by the nodes that answer. */
  public Future<Set<String>> known(Collection<String> ids) {
    return ids.isEmpty()
        ? Future.succeededFuture(Set.of())
        : questions
            .all(new InstancesCommand.Known(List.copyOf(ids)), InstancesAnswer.Known.class)
            .map(
                answers -> {
                  Set<String> known = new HashSet<>();
                  answers.all().forEach(answer -> known.addAll(answer.ids()));
                  return known;
                });
  }

  /** Ends the questions. */
  public void close() {
    tasks.close();
    questions.close();
  }
}
