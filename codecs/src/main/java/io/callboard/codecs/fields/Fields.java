package io.callboard.codecs.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.codecs.Json;
import io.callboard.codecs.internal.text.Suggestions;
import io.vertx.core.json.EncodeException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Reader of the fields of a configured object, which reports each mistake and goes on. Ask for all
 * fields that there may be, then call {@link #noOthers}. Not thread-safe.
 *
 * <p>A field that is null is absent, unless {@link #noNulls} refuses it. One that is absent or
 * wrong is empty. A report does not repeat a value of another kind than is needed, as it may be a
 * secret in the wrong place.
 */
public class Fields {
  private static final String EMPTY = "is empty: give it a value, or delete the key";

  private final JsonNode object;
  private final String pointer;
  private final Consumer<FieldDefect> defects;
  private final Set<String> known = new TreeSet<>();

  /**
   * Creates a reader.
   *
   * @param object what is read; anything but an object is a mistake
   * @param pointer JSON pointer of the object
   * @param defects receives the mistakes
   */
  public Fields(JsonNode object, String pointer, Consumer<FieldDefect> defects) {
    this.pointer = pointer;
    this.defects = defects;
    this.object = object.isObject() ? object : JsonNodeFactory.instance.objectNode();
    if (!object.isObject()) {
      boolean empty = object.isNull() || (object.isTextual() && object.textValue().isBlank());
      String problem = "must be an object, not %s".formatted(kind(object));
      defects.accept(new FieldDefect(pointer, empty ? EMPTY : problem, ""));
    }
  }

  /**
   * Returns an object of Vert.x as a tree.
   *
   * @param what names it in an error
   * @throws IllegalArgumentException if it has a value that JSON has not
   * @throws io.callboard.codecs.CodecException if it is beyond the limits of {@link Json}
   */
  public static JsonNode tree(String what, JsonObject object) {
    try {
      return Json.parse(what, object.toBuffer().getBytes());
    } catch (EncodeException e) {
      throw new IllegalArgumentException(
          "the values of %s must be those of JSON: texts, numbers, objects".formatted(what), e);
    }
  }

  /** Returns a name as a part of a JSON pointer. */
  public static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }

  /** Returns the name that a part of a JSON pointer is. */
  public static String unescaped(String part) {
    return part.replace("~1", "/").replace("~0", "~");
  }

  /** Returns the text that shows a value in a report, without what is in an object or a list. */
  public static String shown(JsonNode value) {
    if (value.isTextual()) {
      String text = value.textValue();
      return text.isBlank() ? "a blank text" : "the text \"%.40s\"".formatted(text);
    }
    return value.isContainerNode() ? kind(value) : "%.40s".formatted(value);
  }

  /** Returns the kind of a value in words, without the value, which may be a secret. */
  private static String kind(JsonNode value) {
    return switch (value.getNodeType()) {
      case STRING -> "a text";
      case NUMBER -> "a number";
      case ARRAY -> "a list";
      case OBJECT -> "an object";
      default -> value.toString();
    };
  }

  /** Returns the JSON pointer of a field. */
  public final String at(String name) {
    return pointer + "/" + escaped(name);
  }

  /**
   * Reports a mistake.
   *
   * @param name the field; empty for the object
   * @param problem what is wrong, as it follows the field's pointer and a colon
   * @param hint what would be right; empty if the problem says it
   */
  public final void defect(String name, String problem, String hint) {
    defects.accept(new FieldDefect(name.isEmpty() ? pointer : at(name), problem, hint));
  }

  private void wrong(String name, String right, String found) {
    defect(name, "must be %s, not %s".formatted(right, found), "");
  }

  /** Returns whether there is a field, without taking it for one that there may be. */
  public final boolean has(String name) {
    return object.hasNonNull(name);
  }

  /** Returns any value. */
  public final Optional<JsonNode> value(String name) {
    known.add(name);
    return has(name) ? Optional.of(object.get(name)) : Optional.empty();
  }

  /** Returns a value as it is read; empty after a mistake. */
  private <T> Optional<T> read(
      String name, JsonNodeType type, String right, Function<JsonNode, Optional<T>> reader) {
    JsonNode value = value(name).orElse(null);
    if (value == null) {
      return Optional.empty();
    }
    boolean isOfType = value.getNodeType() == type;
    Optional<T> read = isOfType ? reader.apply(value) : Optional.empty();
    if (read.isEmpty() && isOfType && value.isContainerNode()) {
      defect(name, "must be " + right, "");
    } else if (read.isEmpty()) {
      wrong(name, right, isOfType ? shown(value) : kind(value));
    }
    return read;
  }

  /** Returns a text that is not blank. */
  public final Optional<String> text(String name) {
    return read(
        name,
        JsonNodeType.STRING,
        "a text",
        value -> Optional.of(value.textValue()).filter(Predicate.not(String::isBlank)));
  }

  /** Returns a text that must be there; an empty one after a mistake. */
  public final String required(String name) {
    return required(name, this::text).orElse("");
  }

  /** Returns a field that must be there. */
  public final <T> Optional<T> required(String name, Function<String, Optional<T>> reader) {
    if (!has(name)) {
      defect(name, "is missing", "");
    }
    return reader.apply(name);
  }

  /** Returns a whole number. */
  public final Optional<Integer> number(String name) {
    return number(name, Integer.MIN_VALUE, Integer.MAX_VALUE, "a whole number");
  }

  /** Returns a whole number from {@code least} to {@code most}. */
  public final Optional<Integer> number(String name, int least, int most) {
    return number(name, least, most, "a whole number from %,d to %,d".formatted(least, most));
  }

  private Optional<Integer> number(String name, int least, int most, String right) {
    return read(
        name,
        JsonNodeType.NUMBER,
        right,
        value ->
            value.canConvertToExactIntegral() && value.canConvertToInt()
                ? Optional.of(value.intValue()).filter(each -> each >= least && each <= most)
                : Optional.empty());
  }

  /** Returns a boolean. */
  public final Optional<Boolean> flag(String name) {
    return read(
        name, JsonNodeType.BOOLEAN, "true or false", value -> Optional.of(value.booleanValue()));
  }

  /** Returns an ISO 8601 duration, such as {@code PT30S}. */
  public final Optional<Duration> duration(String name) {
    return read(
        name,
        JsonNodeType.STRING,
        "an ISO 8601 duration such as PT30S",
        value -> {
          try {
            return Optional.of(Duration.parse(value.textValue()));
          } catch (DateTimeParseException e) {
            return Optional.empty();
          }
        });
  }

  /**
   * Returns an ISO 8601 duration that fits.
   *
   * @param right what one that fits is, in words
   */
  public final Optional<Duration> duration(String name, Predicate<Duration> fits, String right) {
    Optional<Duration> read = duration(name);
    Optional<Duration> fitting = read.filter(fits);
    if (read.isPresent() && fitting.isEmpty()) {
      wrong(name, right, read.get().toString());
    }
    return fitting;
  }

  /** Returns one of the words. */
  public final Optional<String> word(String name, List<String> words) {
    Optional<String> text = text(name);
    Optional<String> word = text.filter(words::contains);
    if (text.isPresent() && word.isEmpty()) {
      defect(
          name,
          "must be one of %s, not \"%.40s\"".formatted(String.join(", ", words), text.get()),
          Suggestions.of(text.get(), words).map(Suggestions::question).orElse(""));
    }
    return word;
  }

  /** Returns a constant by its name in lower case, with {@code -} for {@code _}. */
  public final <E extends Enum<E>> Optional<E> constant(String name, Class<E> type) {
    List<E> all = Arrays.asList(type.getEnumConstants());
    List<String> words =
        all.stream().map(each -> each.name().toLowerCase(Locale.ROOT).replace('_', '-')).toList();
    return word(name, words).map(word -> all.get(words.indexOf(word)));
  }

  /** Returns a list of up to {@code most} texts, which are not blank. */
  public final Optional<List<String>> texts(String name, int most) {
    return read(
        name,
        JsonNodeType.ARRAY,
        "a list of up to %,d texts".formatted(most),
        value -> {
          List<String> texts = new ArrayList<>();
          value.forEach(each -> texts.add(each.isTextual() ? each.textValue() : ""));
          boolean right = texts.size() <= most && texts.stream().noneMatch(String::isBlank);
          return right ? Optional.of(texts) : Optional.empty();
        });
  }

  /** Returns up to {@code most} texts by their names in an object. */
  public final Optional<Map<String, String>> textsByName(String name, int most) {
    return read(
        name,
        JsonNodeType.OBJECT,
        "an object of up to %,d texts".formatted(most),
        value -> {
          Map<String, String> texts = new TreeMap<>();
          value.properties().stream()
              .filter(each -> each.getValue().isTextual())
              .forEach(each -> texts.put(each.getKey(), each.getValue().textValue()));
          boolean right = texts.size() == value.size() && texts.size() <= most;
          return right ? Optional.of(texts) : Optional.empty();
        });
  }

  /** Returns the reader of an object; of an empty one if it is absent or wrong. */
  public final Fields object(String name) {
    return nested(name)
        .orElseGet(() -> new Fields(JsonNodeFactory.instance.objectNode(), at(name), defects));
  }

  /** Returns the reader of an object. */
  public final Optional<Fields> nested(String name) {
    Optional<JsonNode> value = value(name);
    Optional<Fields> fields = value.map(given -> new Fields(given, at(name), defects));
    return fields.filter(any -> value.get().isObject());
  }

  /** Returns an object that may have any fields; an empty one if it is wrong. */
  public final Optional<JsonNode> anyObject(String name) {
    return value(name).map(given -> new Fields(given, at(name), defects).object);
  }

  /** Returns the names of the fields that there are, in their order. */
  public final List<String> names() {
    return object.properties().stream().map(Map.Entry::getKey).toList();
  }

  /** Returns the readers of the objects that the fields are, by their names and in their order. */
  public final Map<String, Fields> objects() {
    Map<String, Fields> objects = new LinkedHashMap<>();
    names().forEach(name -> objects.put(name, object(name)));
    return objects;
  }

  /**
   * Returns what is made of a field, if it is there and right. An {@link IllegalArgumentException}
   * is a mistake of the field.
   */
  @CanIgnoreReturnValue
  public final <T, R> Optional<R> convert(
      String name, Function<String, Optional<T>> reader, Function<? super T, R> maker) {
    try {
      return reader.apply(name).map(maker);
    } catch (IllegalArgumentException e) {
      defect(name, String.valueOf(e.getMessage()), "");
      return Optional.empty();
    }
  }

  /** Refuses fields that are null, as keys are that YAML has without a value, here and below. */
  public final void noNulls() {
    for (String name : names()) {
      JsonNode value = object.get(name);
      if (value.isNull()) {
        defect(name, EMPTY, "");
      } else if (value.isObject()) {
        new Fields(value, at(name), defects).noNulls();
      }
    }
  }

  /** Refuses the fields that are none of these, and were not asked for. */
  public final void noOthersThan(Collection<String> names) {
    known.addAll(names);
    noOthers();
  }

  /** Refuses the fields that were not asked for. */
  public final void noOthers() {
    for (String name : names()) {
      if (!known.contains(name)) {
        defect(name, "is unknown", Suggestions.remedy(name, known));
      }
    }
  }
}
