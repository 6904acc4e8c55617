package io.callboard.workflows.index;

import io.callboard.Callboard;
import io.callboard.cell.CellListener;
import io.callboard.grid.index.MemberAnswers;
import io.callboard.store.Member;
import io.callboard.workflows.model.DefinitionStats;
import io.callboard.workflows.model.InstanceCount;
import io.callboard.workflows.model.WorkflowQuery;
import io.callboard.workflows.starts.DefinitionCounts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Questions to the indexes of all members of the cell. Any thread. */
public final class InstancePeers {
  private static final Logger log = LoggerFactory.getLogger(InstancePeers.class);

  /** Time for which a node is waited for. */
  static final Duration ANSWER = Duration.ofSeconds(2);

  /** Time for which a list waits for partitions that are being read or change hands. */
  static final Duration SETTLE = Duration.ofSeconds(2);

  /** Time after which a list that is not complete asks again. */
  static final Duration ASK_AGAIN = Duration.ofMillis(100);

  private static final Comparator<InstanceCount> ORDER =
      Comparator.comparing(InstanceCount::definition)
          .thenComparing(InstanceCount::version)
          .thenComparing(InstanceCount::state);

  private final Callboard callboard;
  private final InstanceIndex index;
  private final Context context;
  private final MemberAnswers answering = new MemberAnswers();
  private volatile Set<String> members;
  private volatile boolean closed;

  /** Creates the view of a node, which knows no other member before {@link #start}. */
  public InstancePeers(Callboard callboard, InstanceIndex index) {
    this.callboard = callboard;
    this.index = index;
    this.context = ((VertxInternal) callboard.vertx()).createEventLoopContext();
    this.members = Set.of(callboard.node());
  }

  /** Begins to follow the members of the cell; completes when they are known. */
  public Future<Void> start() {
    callboard.listen(
        new CellListener() {
          @Override
          public void membersChanged() {
            if (!closed) {
              read().onFailure(cause -> log.debug("the members cannot be read now", cause));
            }
          }
        });
    return read();
  }

  private Future<Void> read() {
    return callboard
        .members()
        .map(
            found -> {
              Set<String> names = new HashSet<>(found.stream().map(Member::name).toList());
              names.add(callboard.node());
              answering.retain(names);
              members = Set.copyOf(names);
              return null;
            });
  }

  /** Returns the first rows of a list, without those of nodes that do not answer. */
  public Future<MergedRows> rows(WorkflowQuery query, int most) {
    Promise<MergedRows> rows = Promise.promise();
    long beginNs = callboard.time().nanoTime();
    context.runOnContext(v -> rows(query, most, beginNs).onComplete(rows));
    return rows.future();
  }

  private Future<MergedRows> rows(WorkflowQuery query, int most, long beginNs) {
    return all(new InstancesCommand.List(query, most), InstancesAnswer.Rows.class)
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
              if (merged.complete() || !settles || !mayWait || closed) {
                return Future.succeededFuture(merged);
              }
              Promise<MergedRows> later = Promise.promise();
              var unused =
                  callboard
                      .time()
                      .after(
                          context, ASK_AGAIN, () -> rows(query, most, beginNs).onComplete(later));
              return later.future();
            });
  }

  /**
   * Returns the numbers of instances, as far as nodes answer. While a partition changes hands, its
   * instances may be counted twice or not at all for a moment.
   */
  public Future<List<InstanceCount>> counts() {
    return all(new InstancesCommand.Count(), InstancesAnswer.Counts.class)
        .map(
            answers -> {
              Map<InstanceCount, Long> sums = new TreeMap<>(ORDER);
              for (InstancesAnswer.Counts answer : answers.all()) {
                answer.counts().forEach(each -> sums.merge(each, each.count(), Long::sum));
              }
              return sums.entrySet().stream().map(sum -> sum.getKey().of(sum.getValue())).toList();
            });
  }

  /** Returns what the nodes have counted of a definition, as far as they answer. */
  public Future<DefinitionStats> stats(String definition) {
    return all(new InstancesCommand.Tally(definition), InstancesAnswer.Counted.class)
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

  /** Returns the ended instances of all nodes that answer; names at most {@code most}. */
  public Future<MergedEnded> ended(int most, EndedOrder order) {
    return all(new InstancesCommand.Ended(most, order.cutoff()), InstancesAnswer.Ended.class)
        .map(
            answers ->
                MergedEnded.of(answers.all(), index.partitions(), index::partition, order, most));
  }

  /**
   * Returns those of some instances that may still run: a node says so, or no node answers that
   * knows all instances of their partition.
   */
  public Future<Set<String>> mayRun(Set<String> ids) {
    return all(new InstancesCommand.Running(List.copyOf(ids)), InstancesAnswer.Running.class)
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

  /** Returns those of some instances that are in the cell, as far as nodes answer. */
  public Future<Set<String>> known(Collection<String> ids) {
    return ids.isEmpty()
        ? Future.succeededFuture(Set.of())
        : all(new InstancesCommand.Known(List.copyOf(ids)), InstancesAnswer.Known.class)
            .map(
                answers -> {
                  Set<String> known = new HashSet<>();
                  answers.all().forEach(answer -> known.addAll(answer.ids()));
                  return known;
                });
  }

  /**
   * Answers of nodes.
   *
   * @param all the answers
   * @param missing nodes that gave none
   * @param away those of them that are not expected to give one soon
   */
  private record Answers<A>(List<A> all, Set<String> missing, Set<String> away) {}

  /** Asks all members that are not silent; completes with the answers that came. */
  private <A extends InstancesAnswer> Future<Answers<A>> all(
      InstancesCommand question, Class<A> type) {
    Map<String, Future<A>> asked = new TreeMap<>();
    Set<String> missing = new TreeSet<>();
    for (String node : members) {
      if (answering.isSilent(node, callboard.time().nanoTime())) {
        missing.add(node);
      } else {
        asked.put(node, ask(node, question, type));
      }
    }
    return Future.join(List.copyOf(asked.values()))
        .transform(
            done -> {
              List<A> answers = new ArrayList<>();
              asked.forEach(
                  (node, answer) -> {
                    if (answer.succeeded()) {
                      answers.add(answer.result());
                    } else {
                      missing.add(node);
                    }
                  });
              long nowNs = callboard.time().nanoTime();
              return Future.succeededFuture(
                  new Answers<>(
                      answers,
                      missing,
                      missing.stream()
                          .filter(node -> answering.isAway(node, nowNs))
                          .collect(Collectors.toSet())));
            });
  }

  private <A extends InstancesAnswer> Future<A> ask(
      String node, InstancesCommand question, Class<A> type) {
    return callboard
        .ref(InstancesActor.path(node), InstancesCommand.class)
        .ask(question, type, ANSWER)
        .onSuccess(answer -> answered(node))
        .onFailure(cause -> failed(node, cause));
  }

  private void answered(String node) {
    if (answering.answered(node)) {
      log.info("node {} has an index of workflow instances now", node);
    }
  }

  private void failed(String node, Throwable cause) {
    if (!node.equals(callboard.node())
        && answering.failed(node, cause, callboard.time().nanoTime())) {
      log.warn(
          "node {} has had no index of workflow instances for {} s: lists lack the instances of its partitions, and name it as missing; start the workflow engine there, or take the node out of the cell",
          node,
          MemberAnswers.STARTING.toSeconds());
    }
  }

  /** Ends the questions. */
  public void close() {
    closed = true;
  }
}
