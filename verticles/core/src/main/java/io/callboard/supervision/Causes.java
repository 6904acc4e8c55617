package io.callboard.supervision;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Texts of causes, whatever their classes do: a cause is foreign code, whose methods may throw
 * (also an {@link Error}), return null, never come to an end of its causes, or give a text of any
 * length. No method here throws, and no text is longer than its limit. Everything that puts a cause
 * into a message, a log or a store asks here. Thread-safe.
 */
public final class Causes {
  /** Limit of a text, in characters. */
  public static final int MOST = 2_000;

  /** Limit of a stack, in characters; a line and a note may go beyond it. */
  static final int MOST_STACK = 4_000;

  /** Limit of all texts of a cause that is passed on as it is, in characters. */
  static final int MOST_PASSED = 20_000;

  /** Limit of the causes, and what they suppress, of a cause that is passed on as it is. */
  private static final int MOST_PASSED_CAUSES = 100;

  /** Limit of the causes that are looked at in search of the root cause. */
  private static final int MOST_DEPTH = 1_000;

  /** Maximum number of causes of causes in a stack. */
  private static final int MOST_CAUSES = 10;

  /** Frames of the last cause. */
  private static final int MOST_FRAMES = 40;

  /** Maximum number of frames of a failure that has a cause, whose own frames say more. */
  private static final int FRAMES_ABOVE = 12;

  /** Prefix of the names of classes that Vert.x uses for failures with only a text. */
  private static final String OF_A_TEXT = "io.vertx.core.impl.NoStackTrace";

  /** Classes of causes whose message may be the name of a host or a file alone. */
  private static final Set<String> OF_A_NAME =
      Set.of(
          "java.net.UnknownHostException",
          "java.nio.file.AccessDeniedException",
          "java.nio.file.DirectoryNotEmptyException",
          "java.nio.file.FileAlreadyExistsException",
          "java.nio.file.NoSuchFileException",
          "java.nio.file.NotDirectoryException");

  private static final StackTraceElement[] NO_FRAMES = {};

  /** Begins of words in the name of a class. */
  private static final Pattern WORDS =
      Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

  private Causes() {}

  /**
   * Returns class and message of a cause, at most {@value #MOST} characters. Of one that Vert.x
   * made of a text ({@code Future.failedFuture("…")}) it is that text: its class says nothing.
   */
  public static String text(Throwable cause) {
    return text(cause, MOST);
  }

  /**
   * Returns class and message of a cause. What is too long keeps its beginning, its end, and the
   * text of the root cause.
   *
   * @param most characters, at least 200
   */
  public static String text(Throwable cause, int most) {
    return within(whole(cause), cause, most);
  }

  /**
   * Returns the message of a cause in words, for whoever need not know its class: without a message
   * the name of its class in words ("closed channel"), and that before a message that is only the
   * name of a host or a file; at most {@value #MOST} characters.
   */
  public static String message(Throwable cause) {
    return message(cause, MOST);
  }

  /**
   * Returns the message of a cause in words; see {@link #message(Throwable)}.
   *
   * @param most characters, at least 200
   */
  public static String message(Throwable cause, int most) {
    return within(words(cause), cause, most);
  }

  /**
   * Returns the first line of the message of the root cause, in words, as {@link
   * #message(Throwable)} does: for causes whose own messages hold the address of a database, which
   * may hold a password, or only say that something was not available.
   */
  public static String rootMessage(Throwable cause) {
    return message(root(cause)).lines().findFirst().orElse("");
  }

  private static String words(Throwable cause) {
    String message = messageOf(cause);
    try {
      return words(cause, message);
    } catch (Throwable e) { // of a class whose name or reason cannot be asked for
      return message == null ? whole(cause) : message;
    }
  }

  private static String words(Throwable cause, @Nullable String message) {
    if (message == null || message.isEmpty()) {
      String whole = whole(cause);
      boolean says = message == null && !whole.equals(cause.getClass().getName());
      return says ? whole : name(cause.getClass());
    }
    boolean isName = OF_A_NAME.contains(cause.getClass().getName()) && message.indexOf(' ') < 0;
    return isName ? "%s: %s".formatted(name(cause.getClass()), message) : message;
  }

  /** Returns the name of a class of causes in words. */
  private static String name(Class<?> type) {
    Class<?> named = type;
    while (named.isAnonymousClass() && named.getSuperclass() != null) {
      named = named.getSuperclass();
    }
    String simple = named.getSimpleName();
    String bare =
        simple.endsWith("Exception") && simple.length() > "Exception".length()
            ? simple.substring(0, simple.length() - "Exception".length())
            : simple;
    StringBuilder words = new StringBuilder();
    for (String word : WORDS.split(bare)) {
      boolean isShort = word.length() > 1 && Character.isUpperCase(word.charAt(1)); // as SSL
      words
          .append(words.isEmpty() ? "" : " ")
          .append(isShort ? word : word.toLowerCase(Locale.ROOT));
    }
    return words.toString();
  }

  /**
   * Cuts a text: the middle goes, and the number of characters stands in its place. Half a
   * character, at the cut or anywhere, becomes a question mark, for it could not be stored.
   *
   * @param most characters, at least 50
   */
  public static String cut(String text, int most) {
    if (text.length() <= most) {
      return wellFormed(text);
    }
    String mark = "… (%d characters) …".formatted(text.length());
    int head = (most - mark.length()) / 2;
    int tail = most - mark.length() - head;
    return wellFormed(text.substring(0, head) + mark + text.substring(text.length() - tail));
  }

  private static String wellFormed(String text) {
    return text.chars().noneMatch(c -> Character.isSurrogate((char) c))
        ? text
        : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  private static String within(String text, Throwable cause, int most) {
    Throwable root = text.length() <= most ? cause : root(cause);
    if (root == cause) {
      return cut(text, most);
    }
    String end = "; its root cause: " + cut(whole(root), most / 2 - 50);
    return cut(text, most - end.length()) + end;
  }

  /**
   * Returns the cause itself if everybody can read it and its causes, a logger for example, and
   * their texts are at most {@value #MOST_PASSED} characters together. Else returns a stand-in with
   * its class, text, stack and causes, as far as they can be read.
   */
  public static Throwable readable(Throwable cause) {
    return isReadable(cause) ? cause : standIn(cause);
  }

  private static boolean isReadable(Throwable cause) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Throwable> open = new ArrayDeque<>(List.of(cause));
    long characters = 0;
    try {
      while (!open.isEmpty()) {
        Throwable each = open.remove();
        if (!seen.add(each)) {
          continue; // shared, or a circle, which whoever prints it ends
        }
        characters += Math.max(length(each.getMessage()), length(each.getLocalizedMessage()));
        String text = each.toString();
        characters += length(text);
        boolean hasFrames = Arrays.stream(each.getStackTrace()).allMatch(frame -> frame != null);
        if (seen.size() > MOST_PASSED_CAUSES
            || characters > 2 * MOST_PASSED
            || text == null
            || !hasFrames) {
          return false;
        }
        Throwable next = each.getCause();
        if (next != null) {
          open.add(next);
        }
        open.addAll(Arrays.asList(each.getSuppressed()));
      }
      return true;
    } catch (Throwable e) { // whatever it throws, it cannot be read
      return false;
    }
  }

  private static int length(@Nullable String text) {
    return text == null ? 0 : text.length();
  }

  private static Throwable standIn(Throwable cause) {
    List<Throwable> all = chain(cause);
    int kept = Math.min(all.size(), MOST_CAUSES);
    StandIn made = new StandIn(all.get(all.size() - 1), null);
    for (int i = kept - 2; i >= 0; i--) {
      made = new StandIn(all.get(i), made);
    }
    return made;
  }

  /** Exception in the place of another, which cannot be read. */
  private static final class StandIn extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StandIn(Throwable of, @Nullable Throwable cause) {
      super(text(of), cause);
      setStackTrace(frames(of));
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this; // its frames are those of the other
    }

    @Override
    public String toString() {
      return String.valueOf(getMessage());
    }
  }

  /** Returns a cause and its causes, the root cause last. */
  private static List<Throwable> chain(Throwable cause) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    List<Throwable> all = new ArrayList<>();
    for (Throwable each = cause;
        each != null && all.size() < MOST_DEPTH && seen.add(each);
        each = causeOf(each)) {
      all.add(each);
    }
    return all;
  }

  private static Throwable root(Throwable cause) {
    List<Throwable> all = chain(cause);
    return all.get(all.size() - 1);
  }

  /**
   * Returns the stack traces of a cause and of its causes, about {@value #MOST_STACK} characters;
   * null if there are none.
   */
  public static @Nullable String stack(Throwable cause) {
    StringBuilder told = new StringBuilder();
    Throwable each = cause;
    for (int depth = 0; each != null && depth <= MOST_CAUSES; depth++) {
      if (each != cause) {
        told.append("Caused by: ").append(text(each, MOST_STACK / 4)).append('\n');
      }
      Throwable next = causeOf(each);
      frames(frames(each), next == null ? MOST_FRAMES : FRAMES_ABOVE, told);
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

  // The only calls of a cause's own methods.

  /** Returns the frames of a cause; none if they cannot be read. */
  public static StackTraceElement[] frames(Throwable cause) {
    try {
      StackTraceElement[] frames = cause.getStackTrace();
      boolean all = frames != null && Arrays.stream(frames).allMatch(frame -> frame != null);
      return all ? frames : NO_FRAMES;
    } catch (Throwable e) {
      return NO_FRAMES;
    }
  }

  private static String whole(Throwable cause) {
    String message = messageOf(cause);
    String type = cause.getClass().getName();
    if (message != null && type.startsWith(OF_A_TEXT)) {
      return message;
    }
    try {
      String text = cause.toString();
      return text == null ? type : text;
    } catch (Throwable e) {
      return message == null
          ? "%s: its getMessage failed: %s".formatted(type, e.getClass().getName())
          : "%s: %s".formatted(type, message);
    }
  }

  private static @Nullable String messageOf(Throwable cause) {
    try {
      return cause.getMessage();
    } catch (Throwable e) {
      return null;
    }
  }

  private static @Nullable Throwable causeOf(Throwable failure) {
    try {
      return failure.getCause();
    } catch (Throwable e) {
      return e == failure ? null : e;
    }
  }
}
