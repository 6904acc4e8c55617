package io.callboard.jobs.index;

import io.callboard.Callboard;
import io.callboard.cell.CellListener;
import io.callboard.grid.index.MemberAnswers;
import io.callboard.jobs.model.JobQuery;
import io.callboard.store.Member;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Questions to the indexes of all members of the cell. Any thread. */
public final class IndexPeers {
  private static final Logger log = LoggerFactory.getLogger(IndexPeers.class);

  /** Time for which a node is waited for. */
  static final Duration ANSWER = Duration.ofSeconds(2);

  /** Time for which a list waits for partitions that are being read or change hands. */
  static final Duration SETTLE = Duration.ofSeconds(2);

  /** Time for which lists do not wait after one has waited in vain. */
  private static final Duration IN_VAIN = Duration.ofSeconds(5);

  /** Time after which a list that is not complete asks again. */
  static final Duration ASK_AGAIN = Duration.ofMillis(100);

  private final Callboard callboard;
  private final JobIndex index;
  private final Context context;
  private final MemberAnswers answering = new MemberAnswers();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  /** When a list has waited in vain. */
  private volatile @Nullable Long inVainNs;

  private volatile Set<String> members;
  private volatile boolean closed;

  /** Creates the view of a node, which knows no other member before {@link #start}. */
  public IndexPeers(Callboard callboard, JobIndex index) {
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
              Set<String> names = found.stream().map(Member::name).collect(Collectors.toSet());
              names.add(callboard.node());
              answering.retain(names);
              members = Set.copyOf(names);
              listeners.forEach(Runnable::run);
              return null;
            });
  }

  /** Calls a listener after the members have changed. */
  void onMembers(Runnable listener) {
    listeners.add(listener);
  }

  /** Returns the names of the members. */
  Set<String> members() {
    return members;
  }

  /**
   * Returns the first rows of a list, without those of nodes that do not answer.
   *
   * @param rows jobs of the database, of which the page says whether they are known
   */
  public Future<CellPage> page(JobQuery query, int most, List<String> rows) {
    Promise<CellPage> page = Promise.promise();
    long beginNs = callboard.time().nanoTime();
    context.runOnContext(v -> page(query, most, rows, beginNs).onComplete(page));
    return page.future();
  }

  private Future<CellPage> page(JobQuery query, int most, List<String> rows, long beginNs) {
    return all(new IndexCommand.Page(query, most, rows), IndexAnswer.Page.class)
        .compose(
            answers -> {
              CellPage merged =
                  CellPage.of(
                      answers.byNode().values(),
                      answers.missing(),
                      index.partitions(),
                      index::partition,
                      query.ascending(),
                      most);
              boolean settles = merged.reading() || answers.away().isEmpty();
              if (merged.complete() || !settles || closed || !mayWait(beginNs)) {
                return Future.succeededFuture(merged);
              }
              Promise<CellPage> later = Promise.promise();
              var unused =
                  callboard
                      .time()
                      .after(
                          context,
                          ASK_AGAIN,
                          () -> page(query, most, rows, beginNs).onComplete(later));
              return later.future();
            });
  }

  /** Returns whether a list that is not complete may wait; not soon after others did in vain. */
  private boolean mayWait(long beginNs) {
    long nowNs = callboard.time().nanoTime();
    Long vain = inVainNs;
    if (vain != null && vain < beginNs && beginNs - vain < IN_VAIN.toNanos()) {
      return false;
    }
    if (nowNs - beginNs <= SETTLE.toNanos()) {
      return true;
    }
    inVainNs = nowNs;
    return false;
  }

  /** Returns which of some jobs have a record or were deleted, as far as nodes answer. */
  public Future<Set<String>> known(List<String> jobs) {
    return all(new IndexCommand.Known(jobs), IndexAnswer.Page.class)
        .map(
            answers -> {
              Set<String> known = new HashSet<>();
              answers.byNode().values().forEach(answer -> known.addAll(answer.known()));
              return known;
            });
  }

  /** Returns the oldest ended jobs of each node that answers. */
  public Future<Map<String, IndexAnswer.Ended>> ended(IndexCommand.Ended question) {
    return all(question, IndexAnswer.Ended.class).map(Answers::byNode);
  }

  /** Reports to all nodes what the archivist has done. */
  public Future<Void> archived(IndexCommand.Archived done) {
    return done.isEmpty() ? Future.succeededFuture() : all(done, IndexAnswer.Done.class).mapEmpty();
  }

  /** Makes a host delete files of deleted jobs; a host that is away is asked later. */
  void deleteFiles(String host, List<String> jobs) {
    callboard
        .ref(IndexActor.path(host), IndexCommand.class)
        .tell(new IndexCommand.DeleteFiles(jobs))
        .onFailure(cause -> log.debug("host {} deletes files of deleted jobs later", host, cause));
  }

  /**
   * Answers of nodes.
   *
   * @param byNode the answers, by node
   * @param missing nodes that gave none
   * @param away those of them that are not expected to give one soon
   */
  private record Answers<A>(Map<String, A> byNode, Set<String> missing, Set<String> away) {}

  private <A extends IndexAnswer> Future<Answers<A>> all(IndexCommand question, Class<A> type) {
    Map<String, Future<A>> asked = new LinkedHashMap<>();
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
              Map<String, A> answers = new LinkedHashMap<>();
              asked.forEach(
                  (node, answer) -> {
                    if (answer.succeeded()) {
                      answers.put(node, answer.result());
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

  private <A extends IndexAnswer> Future<A> ask(String node, IndexCommand question, Class<A> type) {
    return callboard
        .ref(IndexActor.path(node), IndexCommand.class)
        .ask(question, type, ANSWER)
        .onSuccess(answer -> answered(node))
        .onFailure(cause -> failed(node, cause));
  }

  private void answered(String node) {
    if (answering.answered(node)) {
      log.info("node {} has an index of jobs now", node);
    }
  }

  private void failed(String node, Throwable cause) {
    if (!node.equals(callboard.node())
        && answering.failed(node, cause, callboard.time().nanoTime())) {
      log.warn(
          "node {} has had no index of jobs for {} s: lists lack the jobs of its partitions, and name it as missing; start the scheduler there, or take the node out of the cell",
          node,
          MemberAnswers.STARTING.toSeconds());
    }
  }

  /** Ends the questions. */
  public void close() {
    closed = true;
  }
}
