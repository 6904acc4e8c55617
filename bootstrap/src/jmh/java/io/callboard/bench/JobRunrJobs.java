package io.callboard.bench;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;
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

  private final HikariDataSource connections;
  private final JobRunrConfigurationResult runr;

  JobRunrJobs(String url) {
    connections = JobsPeer.connections(url);
    runr =
        JobRunr.configure()
            .useStorageProvider(SqlStorageProviderFactory.using(connections))
            .useBackgroundJobServer(
                BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                    .andWorkerCount(THREADS)
                    .andPollInterval(POLL))
            .initialize();
  }

  /** The job. */
  public static void noOp() {
    // nothing to do: the scheduler is measured
  }

  @Override
  void submit() {
    var unused = runr.getJobScheduler().enqueue(() -> JobRunrJobs.noOp());
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
