package io.callboard;

import io.callboard.codecs.text.Suggestions;
import io.callboard.supervision.Backoff;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A value of an actor's configuration, read as the type that its option takes.
 *
 * @param key names it in errors
 */
record ConfigValue(String key, @Nullable Object value) {
  String text() {
    if (value instanceof CharSequence text) {
      return text.toString();
    }
    throw wrong("a text");
  }

  /** Texts by their keys. */
  Map<String, String> texts() {
    if (value instanceof JsonObject object
        && object.getMap().values().stream().allMatch(CharSequence.class::isInstance)) {
      Map<String, String> texts = new TreeMap<>();
      object.getMap().forEach((name, text) -> texts.put(name, text.toString()));
      return texts;
    }
    throw wrong("an object of texts, such as {\"disk\":\"ssd\"}");
  }

  int number() {
    if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
      return ((Number) value).intValue();
    }
    throw wrong("a whole number up to " + Integer.MAX_VALUE);
  }

  int positive() {
    return ActorOptions.positive(key, number());
  }

  boolean flag() {
    if (value instanceof Boolean flag) {
      return flag;
    }
    throw wrong("true or false");
  }

  Duration duration() {
    try {
      return Duration.parse(value instanceof CharSequence text ? text : "");
    } catch (DateTimeParseException e) {
      throw wrong("an ISO 8601 duration such as \"PT5S\"");
    }
  }

  /** Returns a constant by its name in lower case, with {@code -} for {@code _}. */
  <E extends Enum<E>> E oneOf(Class<E> type) {
    List<E> all = Arrays.asList(type.getEnumConstants());
    List<String> names =
        all.stream().map(each -> each.name().toLowerCase(Locale.ROOT).replace('_', '-')).toList();
    int index = value instanceof CharSequence text ? names.indexOf(text.toString()) : -1;
    if (index < 0) {
      String last = names.get(names.size() - 1);
      throw wrong(String.join(", ", names.subList(0, names.size() - 1)) + " or " + last);
    }
    return all.get(index);
  }

  /** Returns a backoff by its form; see {@link ActorOptions#of}. */
  Backoff backoff() {
    if (!(value instanceof JsonObject config)) {
      throw wrong(
          "an object with its form, such as"
              + " {\"form\":\"exponential\",\"min\":\"PT0.2S\",\"max\":\"PT30S\"}");
    }
    ConfigValue form = member(config, "form");
    if ("exponential".equals(form.value)) {
      takesOnly(config, List.of("form", "min", "max", "jitter"));
      return Backoff.exponential(
          member(config, "min").duration(),
          member(config, "max").duration(),
          config.containsKey("jitter")
              ? member(config, "jitter").oneOf(Backoff.Jitter.class)
              : Backoff.Jitter.EQUAL);
    } else if ("slotted".equals(form.value)) {
      takesOnly(config, List.of("form", "slotTime", "ceiling", "stayAtCeiling"));
      return Backoff.slotted(
          member(config, "slotTime").duration(),
          member(config, "ceiling").number(),
          config.containsKey("stayAtCeiling") && member(config, "stayAtCeiling").flag());
    }
    throw form.wrong("exponential or slotted");
  }

  private ConfigValue member(JsonObject config, String name) {
    return new ConfigValue(key + "." + name, config.getValue(name));
  }

  private void takesOnly(JsonObject config, List<String> names) {
    for (String name : config.fieldNames()) {
      if (!names.contains(name)) {
        throw new IllegalArgumentException(
            "actor option %s takes %s, not \"%s\"%s"
                .formatted(key, String.join(", ", names), name, Suggestions.hint(name, names)));
      }
    }
  }

  IllegalArgumentException wrong(String right) {
    String given = value instanceof CharSequence ? "the text \"%.60s\"" : "%.60s";
    return new IllegalArgumentException(
        "actor option %s takes %s, not %s".formatted(key, right, given.formatted(value)));
  }
}
