package io.callboard.codecs;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reason why a text is not valid JSON (or YAML), in words for people: Jackson's reason without its
 * own vocabulary.
 */
public final class JsonFault {
  private static final Pattern TWICE = Pattern.compile("Duplicate field '(.*)'.*");
  private static final Pattern DEEP =
      Pattern.compile("Document nesting depth \\(\\d+\\) exceeds the maximum allowed \\((\\d+).*");
  private static final Pattern TOO_MUCH =
      Pattern.compile("(.+) \\((\\d+)\\) exceeds the maximum allowed \\((\\d+).*");
  private static final Pattern OVER = Pattern.compile("Trailing token \\(.*");

  /**
   * Details that Jackson adds for programmers: the position where its token began, the parser
   * features that are set.
   */
  private static final Pattern ASIDE = Pattern.compile(" \\(start marker at .*| \\(`.*");

  private JsonFault() {}

  /** Returns the reason in one clause, without the place. */
  public static String why(JsonProcessingException e) {
    String given = e.getOriginalMessage();
    String text = given == null ? "" : given.lines().findFirst().orElse("");
    Matcher twice = TWICE.matcher(text);
    Matcher deep = DEEP.matcher(text);
    Matcher tooMuch = TOO_MUCH.matcher(text);
    if (twice.matches()) {
      return "the key \"%s\" is there twice: keep one of them".formatted(twice.group(1));
    } else if (deep.matches()) {
      return "it is nested deeper than %s levels".formatted(deep.group(1));
    } else if (tooMuch.matches()) {
      return "a limit is exceeded: %s is %s, at most %s"
          .formatted(lower(tooMuch.group(1)), tooMuch.group(2), tooMuch.group(3));
    } else if (OVER.matcher(text).matches()) {
      return "something follows after its end";
    }
    String plain = ASIDE.matcher(text).replaceFirst("");
    return plain.isEmpty() ? "no reason given" : plain;
  }

  private static String lower(String text) {
    return Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }
}
