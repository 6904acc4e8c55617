package io.callboard.jobs.internal.runner;

import java.util.regex.Pattern;

/**
 * Name of one run of one job. Safe to use as a path.
 *
 * @param jobId the characters of a UUID only: hexadecimal digits and dashes, at most 64
 * @param runId from 1
 */
public record RunKey(String jobId, int runId) {
  private static final Pattern JOB_ID = Pattern.compile("[0-9A-Fa-f-]{1,64}");

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if the job id is not made of UUID characters or the run id is
   *     below 1
   */
  public RunKey {
    checkJobId(jobId);
    if (runId < 1) {
      throw new IllegalArgumentException("runId must be >= 1, not " + runId);
    }
  }

  /**
   * Returns the key of a text, the reverse of {@link #toString}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static RunKey parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      throw new IllegalArgumentException(
          "a run is written <job>/<number>, not \"%s\"".formatted(text));
    }
    return new RunKey(text.substring(0, slash), Integer.parseInt(text.substring(slash + 1)));
  }

  /**
   * Checks a job id.
   *
   * @throws IllegalArgumentException if it is not made of UUID characters or is longer than 64
   */
  public static void checkJobId(String jobId) {
    if (!JOB_ID.matcher(jobId).matches()) {
      throw new IllegalArgumentException(
          "jobId must consist of 1 to 64 hexadecimal digits and dashes, not \"" + jobId + '"');
    }
  }

  @Override
  public String toString() {
    return jobId + '/' + runId;
  }
}
