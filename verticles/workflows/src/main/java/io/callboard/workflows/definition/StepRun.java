package io.callboard.workflows.definition;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Run of a step, as its {@code run} names it.
 *
 * @param kind kind of it
 * @param name name of the handler or the sub-workflow; empty for the other kinds
 * @param major major version of a handler; 0 if any will do
 */
public record StepRun(Kind kind, String name, int major) {
  private static final Pattern TEXT =
      Pattern.compile(
          "(?<kind>[a-z]+)(:(?<name>[A-Za-z0-9][A-Za-z0-9._-]{0,99})(@(?<major>[1-9][0-9]{0,5}))?)?");

  /** Stands for a text that is a defect already, so that no other is reported for it. */
  static final StepRun UNKNOWN = new StepRun(Kind.HANDLER, "unknown", 0);

  /** Kind of what a step runs. */
  public enum Kind {
    /** {@code process}: a job with a command. */
    PROCESS("process", false),
    /** {@code job}: a job with arguments for a handler. */
    JOB("job", false),
    /** {@code http}: a request by a worker. */
    HTTP("http", false),
    /** {@code handler:name[@major]}: code of a worker. */
    HANDLER("handler", true),
    /** {@code subworkflow:name}: an instance of another definition. */
    SUBWORKFLOW("subworkflow", true);

    private final String word;
    private final boolean named;

    Kind(String word, boolean named) {
      this.word = word;
      this.named = named;
    }
  }

  /** Parses a run; empty if the text is of no known kind, or lacks its name. */
  public static Optional<StepRun> of(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String name = Optional.ofNullable(matcher.group("name")).orElse("");
    String major = matcher.group("major");
    for (Kind kind : Kind.values()) {
      if (kind.word.equals(matcher.group("kind"))
          && kind.named != name.isEmpty()
          && (major == null || kind == Kind.HANDLER)) {
        return Optional.of(new StepRun(kind, name, major == null ? 0 : Integer.parseInt(major)));
      }
    }
    return Optional.empty();
  }

  /** Returns the text of the run in a definition. */
  public String text() {
    return kind.word + (kind.named ? ":" + name : "") + (major > 0 ? "@" + major : "");
  }

  /** Returns whether the step runs as a job. */
  public boolean isJob() {
    return kind == Kind.PROCESS || kind == Kind.JOB;
  }

  /**
   * Returns the type that a worker must offer to run the step: {@code http}, or the name of a
   * handler with its major version, if one is asked for; empty if no worker runs it.
   */
  public Optional<String> workerType() {
    return switch (kind) {
      case HTTP -> Optional.of(kind.word);
      case HANDLER -> Optional.of(name + (major > 0 ? "@" + major : ""));
      case PROCESS, JOB, SUBWORKFLOW -> Optional.empty();
    };
  }

  @Override
  public String toString() {
    return text();
  }
}
