package io.callboard.jobs.internal.index;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.protocol.JobAnswer;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.model.JobCounts;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Indexes of nodes of one cell, while partitions move and jobs change. */
class IndexReaderTest {
  private static final int JOBS = 300;
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final ActorOptions OPTIONS = new ActorOptions().onBus(false);

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final LocalQuestions questions = new LocalQuestions();
  private final Map<String, CellIndex> indexes = new HashMap<>();

  private Callboard open(String name) {
    Callboard node = nodes.open(name);
    CellIndex index = index(node);
    await(index.start(OPTIONS));
    host(node, index);
    return node;
  }

  private CellIndex index(Callboard node) {
    CellIndex index = new CellIndex(node, job -> {}, List::of, questions);
    questions.add(node);
    indexes.put(node.node(), index);
    return index;
  }

  private static void host(Callboard node, CellIndex index) {
    await(
        node.host(
            JobActor.PREFIX,
            () ->
                new JobActor(
                    Clock.systemUTC(),
                    new SplittableRandom(1),
                    index,
                    job -> Future.succeededFuture()),
            OPTIONS));
  }

  private static Future<JobAnswer> ask(Callboard node, int number, JobCommand command) {
    return node.durableRef(JobActor.path(SampleJobs.id(number)), JobCommand.class)
        .ask(command, JobAnswer.class, LONG);
  }

  /** Tells a job something, on whichever node; these nodes have no way for an answer. */
  private static Future<Void> tell(Callboard node, int number, JobCommand command) {
    return node.durableRef(JobActor.path(SampleJobs.id(number)), JobCommand.class).tell(command);
  }

  private static void submit(Callboard node, int from, int to) {
    List<Future<JobAnswer>> asked = new ArrayList<>();
    for (int number = from; number < to; number++) {
      asked.add(
          ask(
              node,
              number,
              new JobCommand.Submit(
                  SampleJobs.id(number),
                  JobSpec.process("process", List.of("true")),
                  SampleJobs.NOW)));
    }
    await(Future.all(asked));
  }

  /** Returns the numbers by state of what the nodes index together. */
  private Map<JobState, Long> indexed() {
    Map<JobState, Long> sum = new HashMap<>();
    for (CellIndex index : indexes.values()) {
      JobCounts here = index.tally().counts();
      here.byState().forEach((state, count) -> sum.merge(state, count, Long::sum));
    }
    return sum;
  }

  private int covered() {
    return indexes.values().stream()
        .mapToInt(index -> index.here().coverage().epochs().size())
        .sum();
  }

  private void isWhole(Map<JobState, Long> expected) {
    Eventually.assertThat(
        () -> {
          assertThat(covered()).isEqualTo(indexes.values().iterator().next().here().partitions());
          assertThat(indexed()).isEqualTo(expected);
        });
  }

  @Test
  void eachJobIsIndexedOnceWhileNodesJoinAndLeaveAndJobsChange() {
    Callboard first = open("first");
    submit(first, 0, JOBS);
    isWhole(Map.of(JobState.QUEUED, (long) JOBS));

    Callboard second = nodes.open("second");
    CellIndex joining = index(second);
    await(joining.start(OPTIONS));
    for (int number = 0; number < JOBS / 2; number++) {
      await(tell(first, number, new JobCommand.Cancel(SampleJobs.NOW)));
      if (number == JOBS / 4) {
        host(second, joining); // it takes its share in the middle of the changes
      }
    }
    Map<JobState, Long> half = Map.of(JobState.CANCELLED, JOBS / 2L, JobState.QUEUED, JOBS / 2L);
    Eventually.assertThat(
        () -> {
          for (int number = JOBS / 2; number < JOBS; number++) { // until the partitions have moved
            await(tell(first, number, new JobCommand.Hold(SampleJobs.NOW)));
            await(tell(first, number, new JobCommand.Release(SampleJobs.NOW)));
          }
          assertThat(indexes.get("first").here().size()).isBetween(1, JOBS - 1);
          assertThat(joining.here().size()).isBetween(1, JOBS - 1);
        });
    isWhole(half);

    indexes.remove("first");
    nodes.close(first);
    isWhole(half);
    await(ask(second, JOBS - 1, new JobCommand.Cancel(SampleJobs.NOW)));
    isWhole(Map.of(JobState.CANCELLED, JOBS / 2L + 1, JobState.QUEUED, JOBS / 2L - 1));
  }

  @Test
  void anIndexThatStartsLateReadsWhatTheNodeHolds() {
    Callboard node = nodes.open("first");
    host(node, new CellIndex(node, job -> {}, List::of, null));
    submit(node, 0, 70);
    CellIndex late = index(node);
    await(late.start(OPTIONS));
    isWhole(Map.of(JobState.QUEUED, 70L));
    await(ask(node, 1, new JobCommand.Cancel(SampleJobs.NOW)));
    await(ask(node, 1, new JobCommand.Delete(SampleJobs.NOW)));
    CellIndex again = index(node);
    await(late.close());
    await(again.start(OPTIONS));
    isWhole(Map.of(JobState.QUEUED, 69L));
    assertThat(again.tally().deleted()).isEqualTo(1);
  }

  @Test
  void aPageOfTheNodeHasTheRowsAndIsComplete() {
    Callboard node = open("first");
    submit(node, 0, 30);
    CellIndex index = indexes.get("first");
    CellPage page =
        await(index.peers().page(SampleJobs.all(true, 9), 10, List.of(SampleJobs.id(3), "x")));
    assertThat(page.complete()).isTrue();
    assertThat(page.known()).containsExactly(SampleJobs.id(3));
    assertThat(page.rows()).hasSize(10).contains(new RowRef(SampleJobs.id(0), 1));
    assertThat(await(index.views().read(page.rows()))).hasSize(10);
    assertThat(await(index.views().read(List.of(new RowRef(SampleJobs.id(99), 1))))).isEmpty();
  }
}
