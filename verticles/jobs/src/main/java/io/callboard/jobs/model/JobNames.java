package io.callboard.jobs.model;

import java.util.Optional;
import java.util.regex.Pattern;

/** Form of the names of job types and of handlers. */
public final class JobNames {
  private static final String FORM =
      "up to 63 letters, digits and - _ ., the first a letter or digit";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

  private JobNames() {}

  /**
   * Returns why a text is not a name; empty if it is one.
   *
   * @param of what has the name: a type, a handler
   */
  public static Optional<String> fault(String of, String name) {
    return NAME.matcher(name).matches()
        ? Optional.empty()
        : Optional.of(
            name.isBlank()
                ? "the %s name is empty: use %s".formatted(of, FORM)
                : "\"%.100s\" is not a %s name: use %s".formatted(name, of, FORM));
  }
}
