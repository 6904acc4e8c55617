package io.callboard.jobs.model;

import io.callboard.codecs.fields.FieldDefect;
import io.callboard.codecs.fields.Fields;
import io.callboard.codecs.internal.text.PlainText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Limits of the command and the environment of a process. */
public final class CommandLimits {
  /** Most texts of a command. */
  public static final int MOST_TEXTS = 1_000;

  /** Most variables of an environment. */
  public static final int MOST_VARIABLES = 500;

  /** Most bytes of a command, and of an environment, in UTF-8. */
  public static final int MOST_BYTES = 64 << 10;

  private static final int LONGEST_NAME = 200;
  private static final String OWN_PREFIX = "CALLBOARD_";
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private CommandLimits() {}

  /**
   * Returns the defects of a command and an environment that no process can be given: a program
   * without a name, an invalid name of a variable, a text that operating systems do not take.
   */
  public static List<FieldDefect> faults(List<String> command, Map<String, String> env) {
    List<FieldDefect> faults = new ArrayList<>();
    if (!command.isEmpty() && command.get(0).isBlank()) {
      faults.add(fault("/command/0", "must name a program"));
    }
    faults.addAll(faultsOfTexts(command, env));
    env.keySet()
        .forEach(
            name ->
                faultOfName(name)
                    .ifPresent(why -> faults.add(fault("/env/" + Fields.escaped(name), why))));
    return faults;
  }

  /** Returns the defects of texts that operating systems do not take. */
  public static List<FieldDefect> faultsOfTexts(List<String> command, Map<String, String> env) {
    List<FieldDefect> faults = new ArrayList<>();
    for (int i = 0; i < command.size(); i++) {
      String at = "/command/" + i;
      PlainText.fault(command.get(i)).ifPresent(why -> faults.add(fault(at, why)));
    }
    env.forEach(
        (name, value) -> {
          String at = "/env/" + Fields.escaped(name);
          PlainText.fault(value).ifPresent(why -> faults.add(fault(at, why)));
        });
    return faults;
  }

  /** Returns why a text is not a name of a variable; empty if it is one. */
  public static Optional<String> faultOfName(String name) {
    return name.length() <= LONGEST_NAME && NAME.matcher(name).matches()
        ? Optional.empty()
        : Optional.of(
            "must be a name of up to %d letters, digits and _ that starts with no digit"
                .formatted(LONGEST_NAME));
  }

  /** Returns the limits that the command and the environment of a user exceed. */
  public static List<FieldDefect> faultsOfUsers(List<String> command, Map<String, String> env) {
    List<FieldDefect> faults = new ArrayList<>();
    if (command.size() > MOST_TEXTS) {
      faults.add(
          fault(
              "/command",
              "must have at most %,d texts, not %,d".formatted(MOST_TEXTS, command.size())));
    }
    long bytes = command.stream().mapToLong(CommandLimits::bytes).sum();
    if (bytes > MOST_BYTES) {
      faults.add(
          fault(
              "/command",
              "has %d bytes, at most %d are allowed; pass the name of a file instead"
                  .formatted(bytes, MOST_BYTES)));
    }
    if (env.size() > MOST_VARIABLES) {
      faults.add(
          fault(
              "/env",
              "must have at most %,d variables, not %,d".formatted(MOST_VARIABLES, env.size())));
    }
    long envBytes =
        env.entrySet().stream()
            .mapToLong(each -> bytes(each.getKey()) + bytes(each.getValue()))
            .sum();
    if (envBytes > MOST_BYTES) {
      faults.add(
          fault("/env", "has %d bytes, at most %d are allowed".formatted(envBytes, MOST_BYTES)));
    }
    env.keySet().stream()
        .filter(name -> name.startsWith(OWN_PREFIX))
        .forEach(
            name ->
                faults.add(
                    fault(
                        "/env/" + Fields.escaped(name),
                        "must not start with %s, as Callboard's own variables do"
                            .formatted(OWN_PREFIX))));
    return faults;
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static FieldDefect fault(String pointer, String problem) {
    return new FieldDefect(pointer, problem, "");
  }
}
