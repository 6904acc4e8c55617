package io.callboard.supervision;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One thing that went wrong with an actor or a failure zone, whatever it was, and what its
 * supervisor decided. It holds texts only, so it keeps nothing of the actor in memory. Immutable.
 *
 * @param at when; of several of the same, the last one
 * @param kind what it was
 * @param cause class and message of the cause, at most {@value #MOST_CAUSE} characters
 * @param stack where it came from, and from what: frames, one a line, at most {@value #MOST_STACK}
 *     characters; null if there are none, or they are not kept any more
 * @param node where it happened; of {@link Kind#NODE_LOST} the node that is gone
 * @param restarts of the actor on that node before it
 * @param times how often it happened, 1 but for {@link Kind#INTERRUPTED}, of which those in a row
 *     are one
 * @param decision what the supervisor decided; null if it has not decided yet, or does not for such
 *     a failure
 * @param delay before the next start; null if none was decided
 */
public record Failure(
    Instant at,
    Kind kind,
    String cause,
    @Nullable String stack,
    String node,
    int restarts,
    long times,
    @Nullable Directive decision,
    @Nullable Duration delay) {

  /** Characters of a cause. */
  public static final int MOST_CAUSE = 1_000;

  /** Characters of a stack. */
  public static final int MOST_STACK = 4_000;

  /** Causes of causes that a stack tells of. */
  private static final int MOST_CAUSES = 10;

  /** Frames of the last cause. */
  private static final int MOST_FRAMES = 40;

  /** Frames of what has a cause, which tells more. */
  private static final int FRAMES_ABOVE = 12;

  /** What went wrong. */
  public enum Kind {
    /** A handler threw, or its future failed. */
    THROWN(true),
    /** A handler was not done, or had not returned, within the turn timeout. */
    OVERDUE(true),
    /** A start failed. */
    START(true),
    /** A start did not end within the start timeout. */
    START_OVERDUE(true),
    /** Something failed in the actor's context that is no handler: a timer, a forgotten future. */
    OUTSIDE(true),
    /**
     * The actor holds its thread for longer than its zone allows. It is not started again while it
     * does, for two objects of an actor never run at once; returns its handler too late, it is
     * {@link #OVERDUE} then.
     */
    BLOCKED(false),
    /** A failure zone could not mend what failed in it, and so failed as a whole. */
    ESCALATED(true),
    /** A supervisor was undeployed, and not by the toolkit; its actors ended with it. */
    UNDEPLOYED(true),
    /** The node that ran it is gone without having given it back; another one has taken over. */
    NODE_LOST(false),
    /** A message kept failing, or could not be read, and was parked; the actor goes on. */
    POISONED(false),
    /**
     * A snapshot of its state could not be made, or not be read: the events since the one before it
     * serve.
     */
    SNAPSHOT(false),
    /** What its turns did could not be committed as it was. */
    COMMIT(true),
    /**
     * What the actor needs was not there, such as the store. It is no fault of the actor, and tried
     * again until it is there.
     */
    INTERRUPTED(true);

    private final boolean ends;

    Kind(boolean ends) {
      this.ends = ends;
    }

    /** Whether it ends a life of the actor, so that its supervisor decides what follows. */
    public boolean endsLife() {
      return ends;
    }
  }

  /** Refuses nulls; cuts what is too long. */
  public Failure {
    Objects.requireNonNull(at, "at is null: give when it happened");
    Objects.requireNonNull(kind, "kind is null: give what went wrong");
    Objects.requireNonNull(cause, "cause is null: give class and message of the cause");
    Objects.requireNonNull(node, "node is null: give where it happened");
    cause = cut(cause, MOST_CAUSE);
    stack = stack == null ? null : cut(stack, MOST_STACK);
  }

  /** That {@code cause}, which nobody has decided about. */
  public static Failure of(Instant at, Kind kind, Throwable cause, String node, int restarts) {
    return new Failure(at, kind, text(cause), stack(cause), node, restarts, 1, null, null);
  }

  /** The same of {@code cause} without its stack, whose text takes longer than all else. */
  public static Failure brief(Instant at, Kind kind, Throwable cause, String node, int restarts) {
    return new Failure(at, kind, text(cause), null, node, restarts, 1, null, null);
  }

  public Failure withStack(@Nullable String told) {
    return new Failure(at, kind, cause, told, node, restarts, times, decision, delay);
  }

  /** Whether it was decided that what failed does not begin again by itself. */
  public boolean isFatal() {
    return decision != null && decision != Directive.RESUME && decision != Directive.RESTART;
  }

  /** The same with what was decided. */
  public Failure decided(Directive directive, @Nullable Duration wait) {
    return new Failure(at, kind, cause, stack, node, restarts, times, directive, wait);
  }

  /** The same, and that it happened once more then. */
  public Failure again(Instant then) {
    return new Failure(then, kind, cause, stack, node, restarts, times + 1, null, null);
  }

  /** The same without its stack. */
  public Failure withoutStack() {
    return stack == null ? this : withStack(null);
  }

  /** What it says; also of one whose message cannot be made. */
  public static String message(Throwable cause) {
    try {
      return String.valueOf(cause.getMessage());
    } catch (RuntimeException | Error e) {
      return text(cause);
    }
  }

  /** Class and message; also of one whose message cannot be made. */
  public static String text(Throwable cause) {
    try {
      return String.valueOf(cause);
    } catch (RuntimeException | Error e) {
      return cause.getClass().getName() + ": its message could not be made: " + e.getClass();
    }
  }

  /**
   * The cause as a log can take it, which calls its methods; null if one of them throws, or there
   * is no end of causes.
   */
  public static @Nullable Throwable readable(Throwable cause) {
    Throwable each = cause;
    try {
      for (int depth = 0; depth <= MOST_CAUSES; depth++) {
        if (each == null) {
          return cause;
        }
        String unused = each.getMessage() + each.getLocalizedMessage() + each;
        each = each.getCause();
      }
      return null;
    } catch (RuntimeException | Error e) {
      return null;
    }
  }

  /** Where it was made, and what caused it. */
  public static @Nullable String stack(Throwable cause) {
    StringBuilder told = new StringBuilder();
    Throwable each = cause;
    for (int depth = 0; each != null && depth <= MOST_CAUSES; depth++) {
      if (each != cause) {
        told.append("Caused by: ").append(cut(text(each), MOST_CAUSE)).append('\n');
      }
      Throwable next = causeOf(each);
      frames(each.getStackTrace(), next == null ? MOST_FRAMES : FRAMES_ABOVE, told);
      each = told.length() > MOST_STACK ? null : next;
    }
    return told.isEmpty() ? null : told.toString();
  }

  private static void frames(StackTraceElement[] frames, int most, StringBuilder told) {
    int shown = Math.min(frames.length, most);
    for (int i = 0; i < shown && told.length() <= MOST_STACK; i++) {
      told.append("\tat ").append(frames[i]).append('\n');
    }
    if (shown < frames.length) {
      told.append("\t... ").append(frames.length - shown).append(" more\n");
    }
  }

  private static @Nullable Throwable causeOf(Throwable failure) {
    try {
      return failure.getCause();
    } catch (RuntimeException | Error e) {
      return e == failure ? null : e;
    }
  }

  /** Half a character at the cut, or anywhere, could not be written again. */
  private static String cut(String text, int most) {
    String kept = text.length() <= most ? text : text.substring(0, most - 3) + "...";
    return kept.chars().noneMatch(c -> Character.isSurrogate((char) c))
        ? kept
        : new String(kept.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
