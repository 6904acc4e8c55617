package io.callboard.part;

import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Options of a part in words, for {@link NodePart#settings}: all of them, without secrets. */
public final class PartSettings {
  /** Text that stands for a secret. */
  public static final String MASK = "***";

  /** Text of an option that is not set, or holds nothing. */
  public static final String NONE = "none";

  private static final Pattern LOGIN = Pattern.compile("//.*@");
  private static final Pattern PARAMETERS = Pattern.compile("[?;].+");

  private PartSettings() {}

  /**
   * Returns the options of a record by the names of its components, in their order: of a record
   * within it {@code name.component}, of a map its keys, of a collection its elements, each in
   * their natural order.
   */
  public static Map<String, String> of(Record options) {
    Map<String, String> all = new LinkedHashMap<>();
    add("", options, all);
    return all;
  }

  private static void add(String prefix, Record options, Map<String, String> all) {
    for (RecordComponent component : options.getClass().getRecordComponents()) {
      Object value = value(options, component);
      value = value instanceof Optional<?> optional ? optional.orElse(null) : value;
      String name = prefix + component.getName();
      if (value instanceof Record nested) {
        add(name + ".", nested, all);
      } else {
        all.put(name, text(value));
      }
    }
  }

  private static @Nullable Object value(Record options, RecordComponent component) {
    try {
      return component.getAccessor().invoke(options);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "the option %s of %s cannot be read: the record must be public"
              .formatted(component.getName(), options.getClass().getName()),
          e);
    }
  }

  private static String text(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return text(map.keySet());
    } else if (value instanceof Collection<?> elements) {
      return elements.isEmpty()
          ? NONE
          : elements.stream()
              .map(PartSettings::text)
              .collect(Collectors.toCollection(TreeSet::new))
              .stream()
              .collect(Collectors.joining(", "));
    }
    return value == null ? NONE : masked(value.toString());
  }

  /**
   * Returns an address without its login and its parameters, any of which may hold a password,
   * which may hold any character; other text as it is.
   */
  public static String masked(String value) {
    if (!value.startsWith("jdbc:") && !value.contains("://")) {
      return value;
    }
    String open = LOGIN.matcher(value).replaceFirst("//" + MASK + "@");
    Matcher parameters = PARAMETERS.matcher(open);
    return parameters.find() ? open.substring(0, parameters.start() + 1) + MASK : open;
  }
}
