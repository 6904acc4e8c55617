package io.callboard.jobs.internal.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Uptime of this system, in hundredths of a second: a clock that a shell can read, too. It goes on
 * while the system is suspended.
 */
final class Uptime {
  private static final Path FILE = Path.of("/proc/uptime");
  private static final Pattern SECONDS = Pattern.compile("(\\d{1,12})\\.(\\d\\d) .*\\s*");
  private static final long HUNDREDTH = Duration.ofMillis(10).toNanos();

  private Uptime() {}

  /** Returns the uptime; empty on a system that does not provide it. */
  static OptionalLong now() {
    try {
      Matcher seconds = SECONDS.matcher(Files.readString(FILE));
      return seconds.matches()
          ? OptionalLong.of(Long.parseLong(seconds.group(1) + seconds.group(2)))
          : OptionalLong.empty();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  /** Returns the uptime some nanoseconds later, rounded down. */
  static long after(long uptime, long nanos) {
    return uptime + Math.floorDiv(nanos, HUNDREDTH);
  }
}
