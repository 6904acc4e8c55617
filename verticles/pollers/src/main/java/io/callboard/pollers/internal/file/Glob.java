package io.callboard.pollers.internal.file;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.nio.file.Path;

/**
 * Pattern of relative paths as {@link java.nio.file.FileSystem#getPathMatcher} has them: {@code *},
 * {@code ?}, {@code **}, {@code [a-z]}, {@code {a,b}}. It is matched in time that is linear in the
 * path, whatever the pattern is. Immutable.
 */
final class Glob {
  /** Maximum length of a pattern. */
  static final int MOST_LENGTH = 1_000;

  private final Pattern pattern;

  private Glob(Pattern pattern) {
    this.pattern = pattern;
  }

  /**
   * Returns the matcher of a pattern.
   *
   * @throws IllegalArgumentException if it is none; the message says why
   */
  static Glob of(String text) {
    if (text.length() > MOST_LENGTH) {
      throw new IllegalArgumentException(
          "it has %,d characters, at most %,d".formatted(text.length(), MOST_LENGTH));
    }
    try {
      return new Glob(Pattern.compile(expression(text), Pattern.DOTALL));
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(e.getDescription(), e);
    }
  }

  boolean matches(Path path) {
    return pattern.matches(path.toString());
  }

  private static String expression(String glob) {
    StringBuilder all = new StringBuilder();
    boolean inGroup = false;
    for (int i = 0; i < glob.length(); i++) {
      char c = glob.charAt(i);
      switch (c) {
        case '\\' -> {
          if (++i == glob.length()) {
            throw new IllegalArgumentException("nothing follows its last \\");
          }
          all.append(Pattern.quote(glob.substring(i, i + 1)));
        }
        case '*' -> {
          boolean across = glob.startsWith("**", i);
          all.append(across ? ".*" : "[^/]*");
          i += across ? 1 : 0;
        }
        case '?' -> all.append("[^/]");
        case '[' -> i = range(glob, i, all);
        case '{' -> {
          if (inGroup) {
            throw new IllegalArgumentException("it has a { within another");
          }
          inGroup = true;
          all.append("(?:(?:");
        }
        case '}' -> {
          all.append(inGroup ? "))" : "\\}");
          inGroup = false;
        }
        case ',' -> all.append(inGroup ? ")|(?:" : ",");
        default -> all.append(Pattern.quote(String.valueOf(c)));
      }
    }
    if (inGroup) {
      throw new IllegalArgumentException("a { has no }");
    }
    return all.toString();
  }

  /** Appends a class of characters, of which / is none; returns the place of its end. */
  private static int range(String glob, int at, StringBuilder all) {
    int begin = at + 1;
    boolean not = glob.startsWith("!", begin);
    begin += not ? 1 : 0;
    int end = glob.indexOf(']', begin + 1);
    if (end < 0) {
      throw new IllegalArgumentException("a [ has no ]");
    }
    String its = glob.substring(begin, end);
    if (its.indexOf('/') >= 0) {
      throw new IllegalArgumentException("it has a / between [ and ]");
    }
    all.append(not ? "[^/" : "[").append(its.replaceAll("[\\\\\\[\\]^&]", "\\\\$0")).append(']');
    return end;
  }
}
