package io.callboard.jobs.internal.index;

import io.callboard.Callboard;
import io.callboard.grid.internal.index.MemberAnswers;
import io.callboard.grid.internal.index.MemberQuestions;
import io.callboard.grid.internal.index.MemberQuestions.IndexKind;
import io.callboard.jobs.model.JobQuery;
import io.callboard.task.BackgroundTasks;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Questions to the indexes of all members of the cell. Any thread. */
public final class IndexPeers {
  private static final Logger log = LoggerFactory.getLogger(IndexPeers.class);

  /** Time for which a list waits for partitions that are being read or change hands. */
  static final Duration SETTLE = Duration.ofSeconds(2);

  /** Time for which lists do not wait after one has waited in vain. */
  private static final Duration IN_VAIN = Duration.ofSeconds(5);

  /** Time after which a list that is not complete asks again. */
  static final Duration ASK_AGAIN = Duration.ofMillis(100);

  private final Callboard callboard;
  private final JobIndex index;
  private final BackgroundTasks tasks;
  private final MemberQuestions<IndexCommand> questions;

  /**
   * Members that answer as former owners; an older node that does not is asked for lists all the
   * same.
   */
  private final MemberAnswers handingOver = new MemberAnswers();

  /** When a list has waited in vain. */
  private volatile @Nullable Long inVainNs;

  /** Creates the view of a node, which knows no other member before {@link #start}. */
  public IndexPeers(Callboard callboard, JobIndex index) {
    this.callboard = callboard;
    this.index = index;
    this.tasks = callboard.tasks("the lists of jobs");
    this.questions =
        new MemberQuestions<>(callboard, new IndexKind<>(IndexActor::path, IndexCommand.class));
    questions.onMembers(() -> handingOver.retain(questions.members()));
  }

  /** Begins to follow the members of the cell; completes when they are known. */
  public Future<Void> start() {
    return questions.start();
  }

  /** Calls a listener after the members have changed. */
  void onMembers(Runnable listener) {
    questions.onMembers(listener);
  }

  /** Returns the names of the members. */
  Set<String> members() {
    return questions.members();
  }

  /**
   * Returns the first rows of a list, without those of nodes that do not answer.
   *
   * @param rows jobs of the database, of which the page says whether they are known
   */
  public Future<CellPage> page(JobQuery query, int most, List<String> rows) {
    long beginNs = callboard.time().nanoTime();
    return tasks.call(() -> page(query, most, rows, beginNs));
  }

  private Future<CellPage> page(JobQuery query, int most, List<String> rows, long beginNs) {
    return questions
        .all(new IndexCommand.Page(query, most, rows), IndexAnswer.Page.class)
        .compose(
            answers -> {
              CellPage merged =
                  CellPage.of(
                      answers.all(),
                      answers.missing(),
                      index.partitions(),
                      index::partition,
                      query.ascending(),
                      most);
              boolean settles = merged.reading() || answers.away().isEmpty();
              if (merged.complete() || !settles || tasks.isClosed() || !mayWait(beginNs)) {
                return Future.succeededFuture(merged);
              }
              return tasks.pause(ASK_AGAIN).compose(v -> page(query, most, rows, beginNs));
            });
  }

  /** Returns whether an incomplete list may be read again; not soon after that was in vain. */
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

  /**
   * Returns which of some jobs have a record or were deleted, by the answers of the nodes that
   * answer.
   */
  public Future<Set<String>> known(List<String> jobs) {
    return questions
        .all(new IndexCommand.Known(jobs), IndexAnswer.Page.class)
        .map(
            answers -> {
              Set<String> known = new HashSet<>();
              answers.all().forEach(answer -> known.addAll(answer.known()));
              return known;
            });
  }

  /** Returns the oldest ended jobs of each node that answers. */
  public Future<Map<String, IndexAnswer.Ended>> ended(IndexCommand.Ended question) {
    return questions.all(question, IndexAnswer.Ended.class).map(answers -> answers.byNode());
  }

  /** Reports to all nodes what the archivist has done. */
  public Future<Void> archived(IndexCommand.Archived done) {
    return done.isEmpty()
        ? Future.succeededFuture()
        : questions.all(done, IndexAnswer.Done.class).mapEmpty();
  }

  /** Asks the former owner of a partition for its rows; fails at once if it was silent just now. */
  Future<IndexAnswer.HandedOver> handOver(String node, IndexCommand.HandOver question) {
    if (handingOver.isSilent(node, callboard.time().nanoTime())) {
      return Future.failedFuture(
          new IllegalStateException("node %s did not answer a moment ago".formatted(node)));
    }
    return callboard
        .ref(IndexActor.path(node), IndexCommand.class)
        .ask(question, IndexAnswer.HandedOver.class, MemberQuestions.ANSWER)
        .onSuccess(answer -> handingOver.answered(node))
        .onFailure(cause -> handingOver.failed(node, cause, callboard.time().nanoTime()));
  }

  /** Makes a host delete files of deleted jobs; a host that is away is asked later. */
  void deleteFiles(String host, List<String> jobs) {
    callboard
        .ref(IndexActor.path(host), IndexCommand.class)
        .tell(new IndexCommand.DeleteFiles(jobs))
        .onFailure(cause -> log.debug("host {} deletes files of deleted jobs later", host, cause));
  }

  /** Ends the questions. */
  public void close() {
    tasks.close();
    questions.close();
  }
}
