package io.callboard.chaos.runs;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * Line that a run wrote about itself.
 *
 * @param what {@code at}: it has begun; {@code done}: it came to its end; {@code failed}: it ends
 *     with an error; {@code over}: it found more runs alive than a limit allows; {@code twice}: it
 *     found another process of its job alive
 * @param key key of its job
 * @param run its number
 * @param host name of its host
 * @param epoch epoch of its grant
 * @param atNs time since the start of the machine, rounded down to {@link #RESOLUTION_NS}
 * @param pid its process
 * @param type type of its job
 * @param label label of its job
 * @param more the limit that is exceeded, for {@code over}; otherwise empty
 */
public record RunLine(
    String what,
    String key,
    int run,
    String host,
    long epoch,
    long atNs,
    long pid,
    String type,
    String label,
    String more) {
  /**
   * Resolution of the time in {@code /proc/uptime}, which a shell reads without another process.
   */
  public static final long RESOLUTION_NS = 10_000_000;

  private static final int FIELDS = 9;

  /**
   * Returns the line of a text; empty if it is none, as the last line of a killed process may be
   * torn.
   */
  public static Optional<RunLine> parse(String text) {
    String[] fields = text.split(" ", -1);
    if (fields.length < FIELDS) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new RunLine(
              fields[0],
              fields[1],
              Integer.parseInt(fields[2]),
              host(fields[3]),
              Long.parseLong(fields[4]),
              nanos(fields[5]),
              Long.parseLong(fields[6]),
              fields[7],
              fields[8],
              fields.length > FIELDS ? fields[FIELDS] : ""));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Returns the name of the host in the working directory {@code …/<host>/runs/<job>/<run>/}. */
  private static String host(String directory) {
    int runs = directory.indexOf("/runs/");
    if (runs < 0) {
      throw new IllegalArgumentException(directory + " is no working directory of a run");
    }
    return directory.substring(directory.lastIndexOf('/', runs - 1) + 1, runs);
  }

  /** Returns the nanoseconds of a number of seconds as {@code /proc/uptime} has it. */
  public static long nanos(String seconds) {
    return new BigDecimal(seconds).movePointRight(9).longValueExact();
  }

  /** Returns the name of the run. */
  public String id() {
    return key + "/" + run;
  }
}
