package io.callboard.workflows.definition;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * Regular expression of a schema. It is searched in time that is linear in the text, whatever the
 * expression is: with RE2/J, which does not backtrack, so there are no back references and nothing
 * that looks ahead or behind. Immutable.
 */
final class SchemaPattern {
  /** Maximum number of states: a character of a text is compared with each of them at worst. */
  static final int MOST_STATES = 5_000;

  /** Maximum number of groups within each other. */
  static final int MOST_DEPTH = 100;

  private static final int MOST_REPEATS = 1_000; // of RE2

  /** Codes of characters as ECMAScript has them, behind an even number of backslashes. */
  private static final java.util.regex.Pattern CODE =
      java.util.regex.Pattern.compile("((?<!\\\\)(?:\\\\\\\\)*)\\\\u([0-9A-Fa-f]{4})");

  private final Pattern pattern;

  private SchemaPattern(Pattern pattern) {
    this.pattern = pattern;
  }

  /**
   * Returns the pattern of a regular expression.
   *
   * @throws IllegalArgumentException if it is none, or over a limit; the message says so
   */
  static SchemaPattern of(String text) {
    try {
      if (states(text) > MOST_STATES) {
        throw tooLarge(text);
      }
      Pattern compiled = Pattern.compile(CODE.matcher(text).replaceAll("$1\\\\x{$2}"));
      if (compiled.programSize() > MOST_STATES) {
        throw tooLarge(text);
      }
      return new SchemaPattern(compiled);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "\"%.100s\" is no regular expression of RE2: %s".formatted(text, said(e)), e);
    }
  }

  private static IllegalArgumentException tooLarge(String text) {
    return new IllegalArgumentException(
        "\"%.100s\" is a regular expression of more than %,d states, or %d groups within each other: repeat less in it"
            .formatted(text, MOST_STATES, MOST_DEPTH));
  }

  private static String said(PatternSyntaxException e) {
    String its = "%s: %.40s".formatted(e.getDescription(), e.getPattern());
    boolean beyond = its.contains("(?") || its.toLowerCase(Locale.ROOT).contains("escape");
    return beyond ? its + " (it has no lookahead, lookbehind and back references)" : its;
  }

  /** Returns whether a text has a part that matches. */
  boolean isFoundIn(String text) {
    return pattern.matcher(text).find();
  }

  /** Returns the number of the pattern's states. */
  int states() {
    return pattern.programSize();
  }

  /**
   * Returns about how many states a text becomes, without making them: repetitions within each
   * other multiply. More than {@link #MOST_STATES} if it nests too deeply.
   */
  private static long states(String text) {
    Deque<Long> outer = new ArrayDeque<>();
    long sum = 0; // of the group so far
    long last = 0; // of what a repetition would repeat
    for (int i = 0; i < text.length() && sum <= MOST_STATES; i++) {
      char c = text.charAt(i);
      if (c == '(') {
        outer.push(sum);
        sum = 0;
        last = 0;
        if (outer.size() > MOST_DEPTH) {
          return MOST_STATES + 1;
        }
      } else if (c == ')' && !outer.isEmpty()) {
        last = sum + 2;
        sum = outer.pop() + last;
      } else if (c == '{') {
        sum += last * (repeats(text, i) - 1);
      } else {
        i = endOfAtom(text, i);
        last = 1;
        sum++;
      }
    }
    return sum;
  }

  /** Returns the larger number of a repetition at a place; 1 if there is none. */
  private static int repeats(String text, int at) {
    int most = 1;
    int number = 0;
    for (int i = at + 1; i < text.length() && i - at < 12; i++) {
      char c = text.charAt(i);
      if (c >= '0' && c <= '9') {
        number = Math.min(number * 10 + c - '0', MOST_REPEATS);
        most = Math.max(most, number);
      } else if (c == ',') {
        number = 0;
      } else {
        return c == '}' ? most : 1;
      }
    }
    return 1;
  }

  private static int endOfAtom(String text, int at) {
    char c = text.charAt(at);
    if (c == '\\') {
      int end =
          text.startsWith("{", at + 2) && "xpP".indexOf(text.charAt(at + 1)) >= 0
              ? text.indexOf('}', at)
              : -1;
      return Math.max(at + 1, end);
    } else if (c != '[') {
      return at;
    }
    int i = at + (text.startsWith("[^", at) ? 2 : 1);
    for (int first = i; i < text.length() && (text.charAt(i) != ']' || i == first); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      }
    }
    return i;
  }
}
