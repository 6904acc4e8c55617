package io.callboard.jobs.internal.process;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Identity of a process of this machine: a pid is reused, but not with the same start time.
 *
 * @param startTicks start time since the start of the machine, as {@code /proc} shows it
 * @param namespace namespace in which the pid holds; a process that is not visible from another one
 *     may be alive
 */
record ProcessIdentity(long pid, long startTicks, String namespace) {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,10}):(\\d{1,18}):(\\d{1,20})");

  /** Parses an identity; empty if the text is not one. */
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
