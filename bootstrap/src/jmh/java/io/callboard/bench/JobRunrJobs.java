package io.callboard.bench;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.LongConsumer;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.configuration.JobRunrConfiguration.JobRunrConfigurationResult;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;

/**
 * No-op jobs of JobRunr, with as many workers as submitters and its shortest poll interval. Public,
 * as JobRunr calls the job by reflection.
 */
public final class JobRunrJobs extends JobPeer {
  private static final Duration POLL = Duration.ofSeconds(5);

  /** Listener of the job, which JobRunr calls without an object. */
  private static volatile LongConsumer listener = number -> {};

  private final HikariDataSource connections;
  private final JobRunrConfigurationResult runr;

  /** Starts it with its shortest poll interval. */
  JobRunrJobs(String url) {
    this(url, true, number -> {});
  }

  /**
   * Starts it; one at a time.
   *
   * @param tuned whether with its shortest poll interval, or with its defaults
   * @param begun called when a job begins, with its number
   */
  JobRunrJobs(String url, boolean tuned, LongConsumer begun) {
    listener = begun;
    BackgroundJobServerConfiguration server =
        BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration();
    connections = JobsPeer.connections(url);
    runr =
        JobRunr.configure()
            .useStorageProvider(SqlStorageProviderFactory.using(connections))
            .useBackgroundJobServer(
                tuned ? server.andWorkerCount(THREADS).andPollInterval(POLL) : server)
            .initialize();
  }

  /** The job. */
  public static void noOp(long number) {
    listener.accept(number);
  }

  @Override
  void submit(long number) {
    var unused = runr.getJobScheduler().enqueue(() -> JobRunrJobs.noOp(number));
  }

  @Override
  long ended() throws SQLException {
    return JobsPeer.count(
        connections, "SELECT count(*) FROM jobrunr_jobs WHERE state = 'SUCCEEDED'");
  }

  @Override
  public void close() throws Exception {
    super.close();
    JobRunr.destroy();
    connections.close();
  }
}
