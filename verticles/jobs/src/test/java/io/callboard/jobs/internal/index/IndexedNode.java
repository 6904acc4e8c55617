package io.callboard.jobs.internal.index;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.actor.JobObserver;
import io.callboard.jobs.internal.protocol.JobAnswer;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.testkit.Eventually;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Node with its index, which hosts jobs; its reads of records are counted. */
final class IndexedNode {
  static final int JOBS = 200;
  static final Map<JobState, Long> QUEUED = Map.of(JobState.QUEUED, (long) JOBS);
  static final Duration LONG = Duration.ofSeconds(30);

  private static final ActorOptions OPTIONS = new ActorOptions().onBus(false);

  final Callboard node;
  final CellIndex index;
  final RecordReads reads;

  /**
   * Starts the index, then hosts jobs.
   *
   * @param observer observer of the jobs, which reports to the index
   */
  IndexedNode(Callboard node, CellIndex index, JobObserver observer, RecordReads reads) {
    this.node = node;
    this.index = index;
    this.reads = reads;
    await(index.start(OPTIONS));
    await(
        node.host(
            JobActor.PREFIX,
            () ->
                new JobActor(
                    Clock.systemUTC(),
                    new SplittableRandom(1),
                    observer,
                    job -> Future.succeededFuture()),
            OPTIONS));
  }

  /** Waits until it owns all partitions and has that many jobs in each state. */
  void hasAll(Map<JobState, Long> expected) {
    Eventually.assertThat(
        () -> {
          assertThat(index.here().coverage().epochs()).hasSize(index.here().partitions());
          assertThat(index.here().tally("n", "b").byType()).isEqualTo(Map.of("process", expected));
        });
  }

  /** Waits until it knows of a second member. */
  void isNotAlone() {
    Eventually.assertThat(() -> assertThat(index.peers().members()).hasSize(2));
  }

  Future<JobAnswer> ask(int number, JobCommand command) {
    return node.durableRef(JobActor.path(SampleJobs.id(number)), JobCommand.class)
        .ask(command, JobAnswer.class, LONG);
  }

  /** Submits all jobs, and waits until they are indexed. */
  void fill() {
    List<Future<JobAnswer>> asked = new ArrayList<>();
    for (int number = 0; number < JOBS; number++) {
      asked.add(
          ask(
              number,
              new JobCommand.Submit(
                  SampleJobs.id(number),
                  JobSpec.process("process", List.of("true")),
                  SampleJobs.NOW)));
    }
    await(Future.all(asked));
    hasAll(QUEUED);
  }
}
