package io.callboard.codecs.redaction;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.type.TypeFactory;
import io.callboard.codecs.Json;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The components of records, by their names in JSON, and which of them are sensitive. */
final class SensitiveParts {
  /**
   * Maximum number of types that are looked at below one; beyond it, which only types can be that
   * grow as they refer to themselves, it is taken to have something sensitive.
   */
  private static final int MOST_TYPES = 1_000;

  private static final TypeFactory TYPES = TypeFactory.defaultInstance();

  /** A component. */
  private record Part(Type type, boolean sensitive) {}

  private static final ClassValue<Map<String, Part>> PARTS =
      new ClassValue<>() {
        @Override
        protected Map<String, Part> computeValue(Class<?> type) {
          return parts(type);
        }
      };

  private static final ClassValue<Boolean> CONCERNED =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return isConcerned(type(type), new HashSet<>());
        }
      };

  private SensitiveParts() {}

  private static Map<String, Part> parts(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    if (components == null) {
      return Map.of();
    }
    Map<String, String> names = new HashMap<>();
    for (BeanPropertyDefinition each : Json.describe(type(type)).findProperties()) {
      names.put(each.getInternalName(), each.getName());
    }
    Map<String, Part> parts = new HashMap<>();
    for (RecordComponent each : components) {
      parts.put(
          names.getOrDefault(each.getName(), each.getName()),
          new Part(each.getGenericType(), each.isAnnotationPresent(Sensitive.class)));
    }
    return Map.copyOf(parts);
  }

  static JavaType type(Class<?> type) {
    return TYPES.constructType(type);
  }

  /** Returns whether something in a value of that class is sensitive. */
  static boolean isConcerned(Class<?> type) {
    return CONCERNED.get(type);
  }

  private static boolean isConcerned(JavaType type, Set<JavaType> seen) {
    if (!seen.add(type)) {
      return false;
    }
    if (seen.size() > MOST_TYPES) {
      return true;
    }
    Set<JavaType> all = new HashSet<>();
    addConcrete(type, all);
    for (JavaType each : all) {
      if (each.isContainerType() && isConcerned(each.getContentType(), seen)) {
        return true;
      }
      for (Part part : PARTS.get(each.getRawClass()).values()) {
        if (part.sensitive() || isConcerned(resolved(part.type(), each), seen)) {
          return true;
        }
      }
    }
    return false;
  }

  private static JavaType resolved(Type part, JavaType of) {
    return TYPES.resolveMemberType(part, of.getBindings());
  }

  /** Returns whether a record has a component that is sensitive itself. */
  static boolean isSensitive(JavaType type) {
    return PARTS.get(type.getRawClass()).values().stream().anyMatch(Part::sensitive);
  }

  /** Returns whether the component of that name in JSON is sensitive itself. */
  static boolean isSensitive(JavaType type, String name) {
    Part part = PARTS.get(type.getRawClass()).get(name);
    return part != null && part.sensitive();
  }

  /** Adds what a component of that name in JSON may be; nothing if there is none. */
  static void addPart(JavaType type, String name, Set<JavaType> all) {
    Part part = PARTS.get(type.getRawClass()).get(name);
    if (part != null) {
      addConcrete(resolved(part.type(), type), all);
    }
  }

  /** Adds the records and containers that a value of a type may be. */
  static void addConcrete(JavaType type, Set<JavaType> all) {
    Class<?> raw = type.getRawClass();
    if (type.isReferenceType() || raw == Optional.class) {
      addConcrete(type.containedTypeOrUnknown(0), all);
    } else if (type.isContainerType() || raw.isRecord()) {
      all.add(type);
    } else {
      for (Class<?> below : below(raw)) {
        addConcrete(TYPES.constructSpecializedType(type, below, true), all);
      }
    }
  }

  private static Set<Class<?>> below(Class<?> type) {
    Set<Class<?>> below = new HashSet<>();
    if (type.isSealed()) {
      below.addAll(Set.of(type.getPermittedSubclasses()));
    }
    JsonSubTypes named = type.getAnnotation(JsonSubTypes.class);
    if (named != null) {
      for (JsonSubTypes.Type each : named.value()) {
        below.add(each.value());
      }
    }
    below.remove(type);
    return below;
  }
}
