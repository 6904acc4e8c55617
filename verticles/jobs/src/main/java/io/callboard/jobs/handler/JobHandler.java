package io.callboard.jobs.handler;

import org.jspecify.annotations.Nullable;

/**
 * Code that runs jobs. Called for several jobs at the same time, on threads of its scheduling zone,
 * so it may block.
 *
 * @param <A> type of the arguments
 */
@FunctionalInterface
public interface JobHandler<A> {
  /**
   * Runs a job. May run again for the same job, after a failure or if its node died: use {@link
   * JobContext#job} for effects elsewhere, or fence them with {@link JobContext#epoch}.
   *
   * @return its result, of up to 64 KiB as JSON; null for none. Of a {@link io.vertx.core.Future}
   *     or a {@link java.util.concurrent.CompletionStage} that with which it completes: the run
   *     lasts until then
   * @throws Exception if the run fails: the job is tried again if it has attempts left, unless it
   *     is a {@link PermanentJobException} or {@link HandlerOptions} say otherwise
   */
  @Nullable Object run(JobContext<A> job) throws Exception;
}
