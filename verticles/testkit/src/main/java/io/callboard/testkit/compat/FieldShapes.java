package io.callboard.testkit.compat;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.type.TypeFactory;
import io.callboard.codecs.Json;
import io.callboard.codecs.Nullability;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * JSON form of a class as flat lines, including nested records: {@code spec.command[]} is each
 * element of the field {@code command} in the field {@code spec}, {@code labels{}} each value of a
 * map. A field that may be missing or null ({@link Nullability}) ends with {@code ?}.
 */
final class FieldShapes {
  private static final Map<Class<?>, String> SCALARS =
      Map.ofEntries(
          Map.entry(String.class, "string"),
          Map.entry(Boolean.class, "boolean"),
          Map.entry(Character.class, "char"),
          Map.entry(Byte.class, "int8"),
          Map.entry(Short.class, "int16"),
          Map.entry(Integer.class, "int32"),
          Map.entry(Long.class, "int64"),
          Map.entry(Float.class, "float32"),
          Map.entry(Double.class, "float64"),
          Map.entry(OptionalInt.class, "int32"),
          Map.entry(OptionalLong.class, "int64"),
          Map.entry(OptionalDouble.class, "float64"),
          Map.entry(byte[].class, "base64"),
          Map.entry(Object.class, "json"));

  private final SortedMap<String, String> shapes = new TreeMap<>();
  private final Map<JavaType, String> within = new HashMap<>();

  private FieldShapes() {}

  static SortedMap<String, String> of(Class<?> type) {
    FieldShapes all = new FieldShapes();
    all.describe("", TypeFactory.defaultInstance().constructType(type), "");
    return all.shapes;
  }

  private void describe(String path, JavaType type, String optional) {
    Class<?> raw = type.getRawClass();
    String scalar = SCALARS.get(MethodType.methodType(raw).wrap().returnType());
    if (type.isReferenceType()) {
      describe(path, type.getContentType(), "?");
    } else if (scalar != null) {
      put(path, scalar, optional);
    } else if (raw.isEnum()) {
      put(path, constants(raw), optional);
    } else if (JsonNode.class.isAssignableFrom(raw)) {
      put(path, "json", optional);
    } else if (type.isMapLikeType()) {
      put(path, "map", optional);
      describe(path + "{}", type.getContentType(), "");
    } else if (type.isContainerType()) {
      put(path, "array", optional);
      describe(path + "[]", type.getContentType(), "");
    } else {
      bean(path, type, optional);
    }
  }

  private void put(String path, String shape, String optional) {
    shapes.put(path.isEmpty() ? "itself" : path, shape + optional);
  }

  private static String constants(Class<?> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(constant -> Json.tree(constant).asText())
        .sorted()
        .collect(Collectors.joining("|", "enum ", ""));
  }

  private void bean(String path, JavaType type, String optional) {
    BeanDescription bean = Json.describe(type);
    AnnotatedMember value = bean.findJsonValueAccessor();
    if (value != null) {
      describe(path, value.getType(), optional);
      return;
    }
    if (type.getRawClass().getName().startsWith("java.")) {
      put(path, type.getRawClass().getSimpleName().toLowerCase(Locale.ROOT), optional);
      return;
    }
    String outer = within.putIfAbsent(type, path);
    if (outer != null) {
      put(path, "object like " + (outer.isEmpty() ? "the whole" : outer), optional);
      return;
    }
    if (!path.isEmpty()) {
      put(path, "object", optional);
    }
    if (type.isAbstract()) {
      subtypes(path, type);
    } else {
      for (BeanPropertyDefinition property : bean.findProperties()) {
        String field = path.isEmpty() ? property.getName() : path + "." + property.getName();
        describe(field, property.getPrimaryType(), optional(type.getRawClass(), property));
      }
    }
    within.remove(type);
  }

  /** Adds the subtypes that Jackson distinguishes by a name in the JSON. */
  private void subtypes(String path, JavaType type) {
    JsonSubTypes named = type.getRawClass().getAnnotation(JsonSubTypes.class);
    if (named == null) {
      throw new IllegalArgumentException(
          "%s, of the field %s, cannot be read back: it is abstract and has no @JsonSubTypes"
              .formatted(type.getRawClass().getName(), path));
    }
    for (JsonSubTypes.Type each : named.value()) {
      describe(
          "%s<%s>".formatted(path, each.name()),
          TypeFactory.defaultInstance().constructType(each.value()),
          "");
    }
  }

  private static String optional(Class<?> owner, BeanPropertyDefinition property) {
    String field = property.getInternalName();
    boolean optional =
        owner.isRecord()
            ? Arrays.stream(owner.getRecordComponents())
                .filter(component -> component.getName().equals(field))
                .anyMatch(Nullability::mayBeNull)
            : Arrays.stream(owner.getDeclaredFields())
                .filter(each -> each.getName().equals(field))
                .anyMatch(Nullability::mayBeNull);
    return optional ? "?" : "";
  }
}
