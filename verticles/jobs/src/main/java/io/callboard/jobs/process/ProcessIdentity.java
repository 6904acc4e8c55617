package io.callboard.jobs.process;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Identity of one process of this machine: the system gives a pid again, but not with the same
 * start time.
 *
 * @param startTicks since the start of the machine, as {@code /proc} shows them
 * @param namespace in which the pid holds: what is not seen in another one may be alive
 */
record ProcessIdentity(long pid, long startTicks, String namespace) {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,10}):(\\d{1,18}):(\\d{1,20})");

  /** Empty if it is none. */
  static Optional<ProcessIdentity> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new ProcessIdentity(
                Long.parseLong(matcher.group(1)),
                Long.parseLong(matcher.group(2)),
                matcher.group(3)))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return pid + ":" + startTicks + ":" + namespace;
  }
}
