package io.callboard.jobs.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.protocol.JobCommand;
import io.callboard.testkit.actor.TestedActor;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What the observer of a job is told before and after each commit. */
class JobChangesTest {
  private static final String ID = "01a20b82-10b0-70ed-becb-509436418496";
  private static final Instant NOW = Instant.parse("2026-11-25T09:00:00Z");

  private final List<String> told = new ArrayList<>();
  private final TestedActor<JobCommand> job =
      TestedActor.<JobCommand>of(
              () ->
                  new JobActor(
                      Clock.fixed(NOW, ZoneOffset.UTC), new SplittableRandom(1), new Noted()))
          .path(JobActor.path(ID))
          .once()
          .start();

  /** Notes what it is told. */
  private final class Noted implements JobObserver {
    @Override
    public Runnable begins(String id) {
      told.add("begins");
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
    assertThat(told).as("what was begun before a start is known by it").contains("begins", "known");
    JobSpec spec = JobSpec.process("process", List.of("true"));
    tells(new JobCommand.Submit(ID, spec, NOW), "begins", "QUEUED", "known");
    tells(new JobCommand.Look());
    tells(new JobCommand.Cancel(NOW), "begins", "CANCELLED", "known");
    tells(new JobCommand.Delete(NOW), "begins", "remains", "known");
  }
}
