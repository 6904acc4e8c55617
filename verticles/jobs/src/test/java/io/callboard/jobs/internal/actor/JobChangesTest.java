package io.callboard.jobs.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobSpec;
import io.callboard.testkit.actor.Effect.Deleted;
import io.callboard.testkit.actor.TestedActor;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the observer of a job is told before and after each commit. */
class JobChangesTest {
  private static final String ID = "01a20b82-10b0-70ed-becb-509436418496";
  private static final Instant NOW = Instant.parse("2026-11-25T09:00:00Z");

  private final List<String> told = new ArrayList<>();
  private boolean refuses;
  private final TestedActor<JobCommand> job =
      TestedActor.<JobCommand>of(
              () ->
                  new JobActor(
                      Clock.fixed(NOW, ZoneOffset.UTC),
                      new SplittableRandom(1),
                      new Noted(),
                      job -> Future.succeededFuture()))
          .path(JobActor.path(ID))
          .once()
          .start();

  /** Notes what it is told. */
  private final class Noted implements JobObserver {
    @Override
    public Runnable begins(String id) {
      told.add("begins");
      if (refuses) {
        throw new IllegalStateException("nothing is to be committed");
      }
      return () -> told.add("known");
    }

    @Override
    public void is(Job now) {
      told.add(now.state().name());
    }

    @Override
    public void remains(String id, Tombstone tombstone) {
      told.add("remains");
    }

    @Override
    public void gone(String id, long version) {
      told.add("gone");
    }
  }

  private void tells(JobCommand command, String... expected) {
    told.clear();
    var unused = job.tell(command);
    assertThat(told).containsExactly(expected);
  }

  @Test
  void aChangeIsOpenFromBeforeItsCommitUntilItIsReported() {
    assertThat(told).as("a start does not say what is still on its way").isEmpty();
    submit();
    tells(new JobCommand.Look());
    tells(new JobCommand.Cancel(NOW), "begins", "CANCELLED", "known");
    tells(new JobCommand.Delete(NOW), "begins", "remains", "known");
  }

  private void submit() {
    JobSpec spec = JobSpec.process("process", List.of("true"));
    tells(new JobCommand.Submit(ID, spec, NOW), "begins", "QUEUED", "known");
  }

  /** A change is reported in its turn, which could still fail by that. */
  @Test
  void aChangeIsReportedBeforeItIsCommitted() {
    submit();
    told.clear();
    refuses = true;
    assertThat(job.failure(() -> job.tell(new JobCommand.Cancel(NOW))))
        .hasMessageContaining("nothing is to be committed");
    assertThat(told).containsOnly("begins", "QUEUED"); // its next life reports what it finds
    refuses = false;
    tells(new JobCommand.Cancel(NOW), "begins", "CANCELLED", "known");
  }

  @Test
  void aRemovedRecordIsReportedAgain() {
    tells(new JobCommand.LetGo(3), "begins", "gone", "known");
  }

  private static Stream<JobCommand> aboutATombstone() {
    return Stream.of(new JobCommand.Forget(), new JobCommand.RowGone(), new JobCommand.Freed("h1"));
  }

  /** Whoever sends it has the tombstone in an index, where it would stay for ever. */
  @ParameterizedTest
  @MethodSource("aboutATombstone")
  void aRemovedTombstoneIsReportedAgain(JobCommand late) {
    assertThat(job.tell(late).of(Deleted.class)).as("nothing of it stays").hasSize(1);
    assertThat(told).containsExactly("begins", "gone", "known");
  }

  @ParameterizedTest
  @MethodSource("aboutATombstone")
  void anExistingJobIsNotReportedAsRemoved(JobCommand late) {
    submit();
    tells(late);
  }
}
