package io.callboard.codecs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reason why a text is not valid JSON (or YAML), or does not fit what it is read as, in words for
 * people: Jackson's reason without its own vocabulary, and without the value that does not fit or
 * the keys of the maps that it is in, as those may be secrets. Only a key that is there twice is
 * named: a parser does not know whether it is one of a map.
 */
public final class JsonFault {
  private static final Pattern TWICE = Pattern.compile("Duplicate field '(.*)'.*");
  private static final Pattern OVER = Pattern.compile("Trailing token \\(.*");

  /**
   * Details that Jackson adds for programmers: the position where its token began, the parser
   * features that are set, the options by which it would read the value all the same.
   */
  private static final Pattern ASIDE =
      Pattern.compile(" \\(start marker at .*| \\(`.*| \\(but (?:could|might) .*|: enable `.*");

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

  /** A value of another kind than is read, without the value: the type, and the kind if known. */
  private static final Pattern UNFIT =
      Pattern.compile(
          "Cannot (?:deserialize value of type|construct instance of(?=[^(]*\\(although )"
              + "|coerce (\\S+) (?:value|String) (?:in)?to) `([^`]+)`"
              + "(?:.*? from (a text|a number|true or false|Object|Array))?");

  /** A key of a map that is none of its type, without the key: the type. */
  private static final Pattern UNFIT_KEY =
      Pattern.compile("Cannot deserialize Map key of type `([^`]+)`");

  private static final Map<String, String> KINDS =
      Map.of(
          "Object", "an object",
          "Array", "a list",
          "String", "a text",
          "empty", "an empty text",
          "blank", "a blank text",
          "Integer", "a number",
          "Floating-point", "a number with a fraction or exponent",
          "Boolean", "true or false",
          "Null", "null");

  /** Expected type that is read from a text, but not from every text. */
  private static final Pattern FROM_TEXT =
      Pattern.compile(
          "a time|a date|a duration|a UUID|a year|a zone|a period|one char|bytes|what a ");

  /** Text of Jackson before the values that are right, which may be shown. */
  static final String ONE_OF = "not one of the values accepted for Enum class: ";

  /** Stands for a key of a map. */
  static final String ANY_KEY = "*";

  private JsonFault() {}

  /** Returns the reason in one clause, without the place. */
  public static String why(JsonProcessingException e) {
    String given = e.getOriginalMessage();
    List<String> lines = given == null ? List.of() : withoutValue(given).lines().toList();
    String text = lines.isEmpty() ? "" : lines.get(0);
    if (text.startsWith("while ")) {
      // YAML's context; the problem follows, and what is indented is the text itself
      String problem =
          lines.stream().skip(1).filter(line -> !line.startsWith(" ")).findFirst().orElse("");
      return problem.isEmpty() ? text : text + ": " + problem;
    }
    Matcher twice = TWICE.matcher(text);
    Optional<String> beyond = JsonLimits.refusal(text);
    if (twice.matches()) {
      return "the key \"%s\" is there twice: keep one of them".formatted(twice.group(1));
    } else if (beyond.isPresent()) {
      return beyond.get();
    } else if (OVER.matcher(text).matches()) {
      return "something follows after its end";
    }
    Matcher unfit = UNFIT.matcher(text);
    if (unfit.lookingAt()) {
      return unfit(unfit, text);
    }
    Matcher unfitKey = UNFIT_KEY.matcher(text);
    if (unfitKey.lookingAt()) {
      return "each key in it must be "
          + oneOf(text).orElseGet(() -> neededOfKey(unfitKey.group(1)));
    }
    String plain = ASIDE.matcher(text).replaceFirst("");
    return plain.isEmpty() ? "no reason given" : plain;
  }

  /**
   * Returns a failure with the same place and stack trace, whose text has no value, and whose place
   * has {@link #ANY_KEY} for the keys of maps, which may be secrets as their values may; itself if
   * it has none of them.
   */
  static JsonProcessingException withoutValue(JsonProcessingException e) {
    String given = e.getOriginalMessage();
    String text = given == null ? "" : withoutValue(given);
    List<Reference> place = e instanceof JsonMappingException mapping ? place(mapping) : List.of();
    boolean keys = place.stream().anyMatch(each -> ANY_KEY.equals(each.getFieldName()));
    boolean value = given != null && !text.equals(given);
    if (!keys && !value) {
      return e;
    }
    boolean ours = !value && !(e.getCause() instanceof JsonProcessingException);
    JsonMappingException plain = new JsonMappingException(null, text, ours ? e.getCause() : null);
    for (int i = place.size() - 1; i >= 0; i--) {
      plain.prependPath(place.get(i));
    }
    plain.setStackTrace(e.getStackTrace());
    return plain;
  }

  /** Returns the place of a failure, with {@link #ANY_KEY} for the keys of maps. */
  static List<Reference> place(JsonMappingException e) {
    return e.getPath().stream().map(JsonFault::withoutKey).toList();
  }

  /** Returns a place without the key that it may be, and without the map, which has it. */
  private static Reference withoutKey(Reference place) {
    Object from = place.getFrom();
    Class<?> type = from instanceof Class<?> named ? named : from == null ? null : from.getClass();
    boolean key =
        type != null
            && (Map.class.isAssignableFrom(type) || Map.Entry.class.isAssignableFrom(type));
    return key ? new Reference(type, ANY_KEY) : place;
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

  /** Returns that a value is of another kind than is needed, of both as much as is known. */
  private static String unfit(Matcher unfit, String text) {
    String found = unfit.group(1) != null ? unfit.group(1) : unfit.group(3);
    String given = found == null ? "" : KINDS.getOrDefault(found, found);
    Optional<String> oneOf = oneOf(text);
    String needed = oneOf.orElseGet(() -> needed(unfit.group(2)));
    boolean readFromText = oneOf.isPresent() || FROM_TEXT.matcher(needed).lookingAt();
    return "it must be "
        + needed
        + (given.isEmpty() || readFromText && given.equals("a text") ? "" : ", not " + given);
  }

  /** Returns the values that are right, if a text of Jackson has them. */
  private static Optional<String> oneOf(String text) {
    int oneOf = text.lastIndexOf(ONE_OF);
    return oneOf < 0
        ? Optional.empty()
        : Optional.of(
            "one of " + text.substring(oneOf + ONE_OF.length()).replaceAll("[\\[\\]]", ""));
  }

  /** Returns what a key of a Java type is in JSON, where it is a text. */
  private static String neededOfKey(String type) {
    String needed = needed(type);
    return needed.equals("an object") ? readFrom(name(type)) : needed;
  }

  private static String readFrom(String name) {
    return "what a " + name.substring(name.lastIndexOf('$') + 1) + " is read from";
  }

  private static String name(String type) {
    String plain = type.replaceFirst("<.*", "");
    return plain.substring(plain.lastIndexOf('.') + 1);
  }

  /** Returns what a value of a Java type is in JSON. */
  private static String needed(String type) {
    String name = name(type);
    return switch (name) {
      case "int",
          "long",
          "short",
          "byte",
          "Integer",
          "Long",
          "Short",
          "Byte",
          "BigInteger",
          "OptionalInt",
          "OptionalLong" ->
          "a whole number";
      case "double", "float", "Double", "Float", "BigDecimal", "OptionalDouble" -> "a number";
      case "boolean", "Boolean" -> "true or false";
      case "String" -> "a text";
      case "Instant", "OffsetDateTime", "Date" -> "a time such as 2026-11-21T05:30:00Z";
      case "ZonedDateTime" -> "a time such as 2026-11-21T05:30:00+01:00[Europe/Berlin]";
      case "LocalDateTime" -> "a time without a zone such as 2026-11-21T05:30:00";
      case "LocalTime" -> "a time of the day such as 05:30:00";
      case "Year" -> "a year such as 2026";
      case "ZoneId" -> "a zone such as Europe/Berlin";
      case "Period" -> "a period such as P1M";
      case "Duration" -> "a duration such as PT10M";
      case "LocalDate" -> "a date such as 2026-11-21";
      case "UUID" -> "a UUID such as 123e4567-e89b-12d3-a456-426614174000";
      case "byte[]" -> "bytes as a text in base64";
      case "List", "ArrayList", "Set", "HashSet", "LinkedHashSet", "Collection" -> "a list";
      case "char", "Character" -> "one character";
      default -> {
        boolean ofJava = type.startsWith("java.") && !name.endsWith("Map");
        yield name.endsWith("[]") ? "a list" : ofJava ? readFrom(name) : "an object";
      }
    };
  }

  private static String kind(@Nullable String of) {
    return switch (of == null ? "" : of.toLowerCase(Locale.ROOT)) {
      case "string" -> "a text";
      case "number", "integer", "floating-point" -> "a number";
      case "boolean" -> "true or false";
      default -> "another value";
    };
  }
}
