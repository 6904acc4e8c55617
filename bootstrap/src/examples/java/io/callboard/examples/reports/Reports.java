package io.callboard.examples.reports;

import io.callboard.jobs.Jobs;
import io.callboard.jobs.handler.HandlerOptions;
import io.callboard.jobs.handler.JobHandler;
import io.callboard.jobs.model.Submission;
import io.callboard.node.CallboardNode;
import io.callboard.node.NodeOptions;
import io.callboard.zone.ZoneOptions;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Java method that runs as a job, with everything that its run offers. */
public final class Reports {
  private Reports() {}

  /** Arguments of a job. */
  public record Report(String customer, int pages) {}

  /** Result of a job. */
  public record Written(int pages) {}

  /** Writer of pages elsewhere: an effect, which a job that runs twice must not have twice. */
  public interface Pages {
    /**
     * Writes a page, in place of an earlier one of its number.
     *
     * @param epoch number of the run: the writer refuses one that is lower than it has seen
     * @throws IOException if the writer is busy, and another attempt may succeed
     */
    void write(String job, int number, long epoch) throws IOException;
  }

  /** A handler that begins where its last run was, and that ends when it is asked to. */
  public static JobHandler<Report> writing(Pages pages) {
    return run -> {
      int done = run.checkpoint(Integer.class).orElse(0);
      while (done < run.args().pages() && !run.isCancelled()) {
        done++;
        pages.write(run.job(), done, run.epoch());
        run.checkpoint(done);
        run.progress("page %d of %d".formatted(done, run.args().pages()));
      }
      run.log("%d pages for %s".formatted(done, run.args().customer()));
      return new Written(done);
    };
  }

  /** A node with jobs, and a zone for what blocks. */
  public static CallboardNode node() {
    return CallboardNode.start(
        new NodeOptions()
            .directory(Path.of("data/a"))
            .prepare(node -> node.options().zone("reports", ZoneOptions.fixed(4)))
            .with(Jobs.part()));
  }

  /** With the defaults: zone {@code jobs}, 16 slots, up to ten attempts. */
  public static Future<Void> offer(Jobs jobs, Pages pages) {
    return jobs.handle("report", Report.class, writing(pages));
  }

  /** With other options than the defaults. */
  public static Future<Void> offerWithRules(Jobs jobs, Pages pages) {
    return jobs.handle("report", Report.class, options(), writing(pages));
  }

  /** With rules for its failures, and threads of its own. */
  public static HandlerOptions options() {
    return HandlerOptions.DEFAULT
        .zone("reports")
        .slots(4)
        .failForGood(IllegalArgumentException.class)
        .retryAfter(IOException.class, Duration.ofMinutes(5));
  }

  /** Submits a report; the job is durable when the future succeeds. */
  public static Future<Submission> submit(CallboardNode node) {
    return node.part(Jobs.class).submit("report", new Report("acme", 12));
  }
}
