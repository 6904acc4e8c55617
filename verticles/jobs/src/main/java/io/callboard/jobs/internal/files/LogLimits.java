package io.callboard.jobs.internal.files;

/**
 * Limits of the kept output of a run, in bytes.
 *
 * <p>While the run lives, a log that has outgrown {@code live} is cut to its head and its tail;
 * after the end, one that has outgrown {@code head + tail}. A line in the gap says how much is
 * missing. The size is checked every {@code ProcessRunner.LOG_CHECK}, so a log may outgrow the
 * limit by the output of that time; output written in the instant of a cut may be lost.
 *
 * @param head bytes kept of the beginning
 * @param tail bytes kept of the end
 * @param live size from which the log of a live run is cut
 */
public record LogLimits(int head, int tail, long live) {
  /** Default limits: 256 KiB of the beginning and of the end, 16 MiB while the run lives. */
  public static final LogLimits DEFAULT = new LogLimits(256 * 1024, 256 * 1024, 16L * 1024 * 1024);

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if head or tail is below 1 or live is below head + tail
   */
  public LogLimits {
    if (head < 1 || tail < 1 || live < (long) head + tail) {
      throw new IllegalArgumentException(
          "head and tail must be >= 1 and live >= head + tail, not "
              + (head + ", " + tail + " and " + live));
    }
  }
}
