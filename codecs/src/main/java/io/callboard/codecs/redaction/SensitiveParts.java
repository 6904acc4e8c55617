package io.callboard.codecs.redaction;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.type.TypeFactory;
import io.callboard.codecs.Json;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The parts of classes, by their names in JSON, and which of them are sensitive. */
final class SensitiveParts {
  /**
   * Maximum number of types that are looked at below one; beyond it, it is taken to have something
   * sensitive.
   */
  private static final int MOST_TYPES = 1_000;

  /**
   * Maximum depth of type arguments in type arguments, as {@code List<List<String>>} has two. All
   * of a value beyond it counts as sensitive: a type can be that grows as it refers to itself.
   */
  static final int MOST_NESTED = 12;

  private static final TypeFactory TYPES = TypeFactory.defaultInstance();

  /**
   * A component of a record, or a property of another class.
   *
   * @param shaped whether it says itself how it is written: its names are not those of its type
   * @param named classes that it says it may be
   */
  private record Part(Type type, boolean sensitive, boolean shaped, List<Class<?>> named) {
    /** Returns what it may be. */
    Stream<JavaType> types(JavaType of) {
      return Stream.concat(
          Stream.of(TYPES.resolveMemberType(type, of.getBindings())),
          named.stream().map(SensitiveParts::type));
    }
  }

  /** Parts of a class that are known. */
  private record Known(Map<String, Part> parts, boolean shaped) {
    static final Known NOTHING = new Known(Map.of(), false);

    /** A record of which Jackson makes nothing: all of it counts as sensitive. */
    static final Known UNREADABLE =
        new Known(Map.of("", new Part(String.class, true, false, List.of())), true);
  }

  private static final ClassValue<Known> KNOWN =
      new ClassValue<>() {
        @Override
        protected Known computeValue(Class<?> type) {
          return known(type(type));
        }
      };

  private static final ClassValue<Boolean> CONCERNED =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return looksConcerned(type(type));
        }
      };

  private static final RecentTypes<Known> KNOWN_GENERIC = new RecentTypes<>(SensitiveParts::known);

  private static final RecentTypes<Boolean> CONCERNED_GENERIC =
      new RecentTypes<>(SensitiveParts::looksConcerned);

  private SensitiveParts() {}

  static JavaType type(Class<?> type) {
    return TYPES.constructType(type);
  }

  /** Returns what is known of a type; of records, components as they are declared. */
  private static Known of(JavaType type) {
    boolean declared = !type.hasGenericTypes() || type.getRawClass().isRecord();
    return declared ? KNOWN.get(type.getRawClass()) : KNOWN_GENERIC.get(type);
  }

  private static Known known(JavaType type) {
    Class<?> raw = type.getRawClass();
    if (raw.isPrimitive() || type.isContainerType() || raw.getName().startsWith("java.")) {
      return Known.NOTHING;
    }
    try {
      return read(type);
    } catch (IllegalArgumentException e) {
      if (raw.isRecord()) {
        return Known.UNREADABLE;
      }
      return Known.NOTHING; // Jackson cannot read it as it is: it has a deserializer of its own
    }
  }

  private static Known read(JavaType type) {
    BeanDescription described = Json.describe(type);
    Map<String, BeanPropertyDefinition> properties = new HashMap<>();
    for (BeanPropertyDefinition each : described.findProperties()) {
      properties.put(each.getInternalName(), each);
    }
    Map<String, Part> parts = new HashMap<>();
    RecordComponent[] components = type.getRawClass().getRecordComponents();
    if (components != null) {
      for (RecordComponent each : components) {
        boolean sensitive = each.isAnnotationPresent(Sensitive.class);
        BeanPropertyDefinition property = properties.get(each.getName());
        put(each.getName(), part(each.getGenericType(), sensitive, property), property, parts);
      }
    } else {
      for (BeanPropertyDefinition each : properties.values()) {
        if (each.couldDeserialize()) { // what is only written may be made of anything
          put(each.getName(), part(each.getPrimaryType(), false, each), each, parts);
        }
      }
    }
    JsonTypeInfo info = described.getClassAnnotations().get(JsonTypeInfo.class);
    if (info != null) {
      String usual = String.valueOf(info.use().getDefaultPropertyName());
      parts.putIfAbsent(
          info.property().isEmpty() ? usual : info.property(),
          new Part(String.class, false, false, List.of()));
    }
    boolean shaped =
        isWrapper(info)
            || described.findJsonValueAccessor() != null
            || described.getClassAnnotations().has(JsonSerialize.class);
    return new Known(Map.copyOf(parts), shaped);
  }

  private static boolean isWrapper(@Nullable JsonTypeInfo info) {
    return info != null
        && (info.include() == JsonTypeInfo.As.WRAPPER_OBJECT
            || info.include() == JsonTypeInfo.As.WRAPPER_ARRAY);
  }

  private static Part part(
      Type type, boolean sensitive, @Nullable BeanPropertyDefinition property) {
    AnnotatedMember member = property == null ? null : property.getPrimaryMember();
    if (member == null) {
      return new Part(type, sensitive, false, List.of());
    }
    JsonSubTypes named = member.getAnnotation(JsonSubTypes.class);
    return new Part(
        type,
        sensitive,
        named != null
            || member.hasAnnotation(JsonTypeInfo.class)
            || member.hasAnnotation(JsonSerialize.class),
        named == null ? List.of() : classes(named));
  }

  private static void put(
      String own, Part part, @Nullable BeanPropertyDefinition property, Map<String, Part> parts) {
    parts.put(property == null ? own : property.getName(), part);
    if (property != null) {
      property.findAliases().forEach(alias -> parts.put(alias.getSimpleName(), part));
    }
  }

  private static List<Class<?>> classes(JsonSubTypes named) {
    return Stream.of(named.value()).<Class<?>>map(JsonSubTypes.Type::value).toList();
  }

  /** Returns whether something in a value of that class is sensitive. */
  static boolean isConcerned(Class<?> type) {
    return CONCERNED.get(type);
  }

  /** Returns whether something in a value of that type is sensitive. */
  static boolean isConcerned(JavaType type) {
    return type.hasGenericTypes() || type.isContainerType()
        ? CONCERNED_GENERIC.get(type)
        : isConcerned(type.getRawClass());
  }

  /** Looks at all types that a value of a type may have in it, each of them once. */
  private static boolean looksConcerned(JavaType type) {
    Set<JavaType> seen = new HashSet<>(Set.of(type));
    Deque<JavaType> left = new ArrayDeque<>(seen);
    for (JavaType each = left.poll(); each != null; each = left.poll()) {
      if (seen.size() > MOST_TYPES || isNested(each, MOST_NESTED)) {
        return true;
      }
      Set<JavaType> next = new HashSet<>();
      addConcrete(each, next);
      if (next.contains(each)) {
        Collection<Part> parts = of(each).parts().values();
        if (parts.stream().anyMatch(Part::sensitive)) {
          return true;
        }
        JavaType its = each;
        parts.stream().flatMap(part -> part.types(its)).forEach(next::add);
        addContent(each, next);
      }
      next.stream().filter(seen::add).forEach(left::add);
    }
    return false;
  }

  private static void addContent(JavaType type, Set<JavaType> all) {
    if (type.isContainerType()) {
      all.add(type.getContentType());
    }
    if (type.isMapLikeType()) {
      all.add(type.getKeyType());
    }
  }

  private static boolean isNested(JavaType type, int most) {
    if (most < 0) {
      return true;
    } else if (type.isArrayType()) { // what it contains is said of its context, once more
      return isNested(type.getContentType(), most - 1);
    }
    for (int i = 0; i < type.containedTypeCount(); i++) {
      if (isNested(type.containedType(i), most - 1)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether it cannot be seen in the JSON of a value where its parts are: it is written as
   * another value, or within one that has the name of its type, or its type is not looked into.
   */
  static boolean isShaped(JavaType type) {
    return isNested(type, MOST_NESTED)
        || of(type).shaped()
        || (type.isMapLikeType() && isConcerned(type.getKeyType()));
  }

  /** Returns whether there is a component of that name in JSON. */
  static boolean has(JavaType type, String name) {
    return of(type).parts().containsKey(name);
  }

  /** Returns whether all of the component of that name in JSON is sensitive. */
  static boolean isSensitive(JavaType type, String name) {
    Part part = of(type).parts().get(name);
    return part != null
        && (part.sensitive()
            || (part.shaped() && part.types(type).anyMatch(SensitiveParts::isConcerned)));
  }

  /** Adds what a component of that name in JSON may be; nothing if there is none. */
  static void addPart(JavaType type, String name, Set<JavaType> all) {
    Part part = of(type).parts().get(name);
    if (part != null) {
      part.types(type).forEach(its -> addConcrete(its, all));
    }
  }

  /** Adds the types that a value of a type may be, unless they are there. */
  static void addConcrete(JavaType type, Set<JavaType> all) {
    Class<?> raw = type.getRawClass();
    if (type.isReferenceType() || raw == Optional.class) {
      addConcrete(type.containedTypeOrUnknown(0), all);
    } else if (all.add(type) && !type.isContainerType()) {
      for (Class<?> below : below(raw)) {
        if (raw.isAssignableFrom(below)) {
          addConcrete(TYPES.constructSpecializedType(type, below, true), all);
        }
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
      below.addAll(classes(named));
    }
    return below;
  }
}
