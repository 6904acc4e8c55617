package io.callboard.codecs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reason why a text is not valid JSON (or YAML), or does not fit what it is read as, in words for
 * people: Jackson's reason without its own vocabulary, and without the value that does not fit, as
 * that may be a secret.
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

  /** A value, in the texts of Jackson, and what follows, which may have it again. */
  private static final Pattern FROM =
      Pattern.compile(
          "(?s) from (?:native value |(string|number|boolean|integer|floating-point)"
              + "(?: value \\(| )).*",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern COERCED =
      Pattern.compile("(?s)(Cannot coerce .*?(?:value|String)) \\(.*\\)(?= (?:in)?to )");
  private static final Pattern BEYOND =
      Pattern.compile("(?s)Numeric value \\(.*\\) (?=out of range)");

  /** What follows it at the end of a text has no value, but those that are right. */
  private static final String ONE_OF = "not one of the values accepted for Enum class: ";

  private JsonFault() {}

  /** Returns the reason in one clause, without the place. */
  public static String why(JsonProcessingException e) {
    String given = e.getOriginalMessage();
    String text = given == null ? "" : withoutValue(given).lines().findFirst().orElse("");
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

  /**
   * Returns a failure with the same place and stack trace, whose text has no value; itself if it
   * has none.
   */
  static JsonProcessingException withoutValue(JsonProcessingException e) {
    String given = e.getOriginalMessage();
    if (given == null || withoutValue(given).equals(given)) {
      return e;
    }
    JsonMappingException plain = new JsonMappingException(null, withoutValue(given));
    if (e instanceof JsonMappingException mapping) {
      List<JsonMappingException.Reference> path = mapping.getPath();
      for (int i = path.size() - 1; i >= 0; i--) {
        plain.prependPath(path.get(i));
      }
    }
    plain.setStackTrace(e.getStackTrace());
    return plain;
  }

  private static String withoutValue(String text) {
    Matcher from = FROM.matcher(text);
    if (!from.find()) {
      String plain = COERCED.matcher(text).replaceFirst("$1");
      return BEYOND.matcher(plain).replaceFirst("a number is ");
    }
    int oneOf = text.lastIndexOf(ONE_OF);
    return text.substring(0, from.start())
        + " from "
        + kind(from.group(1))
        + (oneOf < from.start() ? "" : ": " + text.substring(oneOf));
  }

  private static String kind(@Nullable String of) {
    return switch (of == null ? "" : of.toLowerCase(Locale.ROOT)) {
      case "string" -> "a text";
      case "number", "integer", "floating-point" -> "a number";
      case "boolean" -> "true or false";
      default -> "another value";
    };
  }

  private static String lower(String text) {
    return Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }
}
