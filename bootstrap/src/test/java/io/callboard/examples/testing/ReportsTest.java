package io.callboard.examples.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.examples.reports.Reports;
import io.callboard.examples.reports.Reports.Pages;
import io.callboard.examples.reports.Reports.Report;
import io.callboard.examples.reports.Reports.Written;
import io.callboard.jobs.handler.JobHandler;
import io.callboard.jobs.testing.TestedJob;
import io.callboard.jobs.testing.TestedJobOutcome;
import io.callboard.jobs.testing.TestedJobOutcome.End;
import io.callboard.jobs.testing.TestedJobRun;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A job handler, tested without a node. */
class ReportsTest {
  private final List<Integer> written = new ArrayList<>();
  private final JobHandler<Report> handler =
      Reports.writing((job, number, epoch) -> written.add(number));

  private final TestedJob<Report> job =
      TestedJob.of(new Report("acme", 5)).options(Reports.options());

  @Test
  void aRunBeginsWhereTheLastOneWas() {
    TestedJobOutcome outcome = job.attempt(2).checkpoint(3).run(handler);
    assertThat(outcome.result(Written.class)).contains(new Written(5));
    assertThat(outcome.log()).containsExactly("5 pages for acme");
    assertThat(written).containsExactly(4, 5);
  }

  @Test
  void aWriterThatIsBusyIsTriedAgain() {
    Pages busy =
        (job, number, epoch) -> {
          throw new IOException("busy");
        };
    TestedJobOutcome outcome = job.run(Reports.writing(busy));
    assertThat(outcome.error()).contains("java.io.IOException: busy");
    assertThat(outcome.pause()).contains(Duration.ofMinutes(5));
    TestedJobOutcome next = job.after(outcome).run(handler);
    assertThat(next.end()).isEqualTo(End.SUCCEEDED);
  }

  @Test
  void aLostRunIsRepeatedFromItsCheckpoint() {
    TestedJob<Report> lost = job.onReport(TestedJobRun::lose); // after its first checkpoint
    TestedJobOutcome first = lost.run(handler);
    assertThat(first.end()).isEqualTo(End.LOST);
    assertThat(first.checkpoint(Integer.class)).contains(1);
    assertThat(lost.after(first).onReport(run -> {}).run(handler).end()).isEqualTo(End.SUCCEEDED);
    assertThat(written).containsExactly(1, 2, 3, 4, 5);
  }
}
