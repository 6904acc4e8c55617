package io.callboard.jobs.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Retention of jobs that have ended. Of the records in ZooKeeper the oldest successes go first,
 * then the oldest of the others.
 *
 * @param records maximum number of records in ZooKeeper without a database
 * @param age time after the end of a job for which its record is kept at most, without a database
 * @param recent number of records that stay in ZooKeeper though the database has them
 * @param recentAge time for which they stay at most
 * @param successes time for which the database has a job that succeeded
 * @param others time for which it has a job that ended otherwise
 * @param files time for which hosts keep the files of runs whose record is in the database only
 * @param logs time for which hosts keep the logs of runs that have ended; null for as long as their
 *     other files
 * @param every time between the passes over the ended jobs of the cell; a minute at most
 */
public record JobRetention(
    int records,
    Duration age,
    int recent,
    Duration recentAge,
    Duration successes,
    Duration others,
    Duration files,
    @Nullable Duration logs,
    Duration every) {
  /** Maximum time between passes, also while the database does not answer. */
  public static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /** Minimum time for which the database has a job: as long as an idempotency key may name it. */
  public static final Duration SHORTEST_ROWS = Duration.ofHours(25);

  /** Retention by default. */
  public static final JobRetention DEFAULT =
      new JobRetention(
          50_000,
          Duration.ofDays(7),
          1_000,
          Duration.ofDays(1),
          Duration.ofDays(7),
          Duration.ofDays(90),
          Duration.ofDays(7),
          null,
          Duration.ofSeconds(1));

  /** Checks the values. */
  public JobRetention {
    check("records", records);
    check("recent", recent);
    check("age", age);
    check("recentAge", recentAge);
    check("successes", successes);
    check("others", others);
    check("files", files);
    if (logs != null) {
      check("logs", logs);
    }
    if (every.isZero() || every.isNegative() || every.compareTo(LONGEST_PAUSE) > 0) {
      throw new IllegalArgumentException(
          "every is %s: a time between passes is more than PT0S, and %s at most"
              .formatted(every, LONGEST_PAUSE));
    }
  }

  private static void check(String name, int number) {
    if (number < 0) {
      throw new IllegalArgumentException(
          "%s is %d: a number of jobs is 0 or more".formatted(name, number));
    }
  }

  private static void check(String name, Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException(
          "%s is %s: a time for which jobs are kept is PT0S or more".formatted(name, time));
    }
  }

  /** Returns this with other limits of the records without a database. */
  public JobRetention records(int most, Duration longest) {
    return new JobRetention(
        most, longest, recent, recentAge, successes, others, files, logs, every);
  }

  /** Returns this with other limits of the records that stay in the cell though archived. */
  public JobRetention recent(int most, Duration longest) {
    return new JobRetention(records, age, most, longest, successes, others, files, logs, every);
  }

  /** Returns this with other times for which the database has jobs. */
  public JobRetention rows(Duration ofSuccesses, Duration ofOthers) {
    return new JobRetention(
        records, age, recent, recentAge, ofSuccesses, ofOthers, files, logs, every);
  }

  /** Returns this with other times for which hosts keep files and logs of runs. */
  public JobRetention files(Duration ofFiles, @Nullable Duration ofLogs) {
    return new JobRetention(
        records, age, recent, recentAge, successes, others, ofFiles, ofLogs, every);
  }

  /** Returns this with another time between passes. */
  public JobRetention every(Duration pause) {
    return new JobRetention(records, age, recent, recentAge, successes, others, files, logs, pause);
  }

  /** Returns the time for which the database has a job that ended in that state. */
  public Duration rows(JobState state) {
    return state == JobState.SUCCEEDED ? successes : others;
  }
}
