package io.callboard.codecs;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.deser.AbstractDeserializer;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.deser.SettableBeanProperty;
import com.fasterxml.jackson.databind.deser.ValueInstantiator;
import com.fasterxml.jackson.databind.deser.impl.UnsupportedTypeDeserializer;
import com.fasterxml.jackson.databind.deser.std.ContainerDeserializerBase;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.jsontype.SubtypeResolver;
import com.fasterxml.jackson.databind.jsontype.TypeDeserializer;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Check whether what is written of a class could ever be read back. Jackson writes an object as
 * what it is, but reads it as what its component declares: of an {@code Object} or a {@code
 * Runnable} the JSON does not say which. So the readers that Jackson makes are examined, component
 * by component, once for each class. A method that is named like the getter of a component hides
 * it. What says itself how it is read ({@link JsonDeserialize}, a resolver of names) is believed;
 * therefore the first {@value #READ_BACK} values of a class are read back when they are written.
 */
final class RoundTripCheck {
  private static final String RIGHT =
      "use a record, an enum, a value type of the JDK, a sealed interface of records that"
          + " @JsonTypeInfo and @JsonSubTypes tell apart, an ActorRef, a List, Set, Map or Optional"
          + " of these, or a JsonNode for any JSON";

  private static final int READ_BACK = 100;

  /** Longest JSON that is read back, so that large messages are not parsed twice. */
  private static final int MOST_READ_BACK = 1 << 20;

  private static final Map<String, String> LOSSY =
      Map.of(
          "java.util.Calendar", "its time zone would be lost, which a ZonedDateTime keeps",
          "java.util.GregorianCalendar", "its time zone would be lost, which a ZonedDateTime keeps",
          "java.sql.Timestamp", "its nanoseconds would be lost, which an Instant keeps");

  private static final ClassValue<AtomicInteger> WRITTEN =
      new ClassValue<>() {
        @Override
        protected AtomicInteger computeValue(Class<?> type) {
          return new AtomicInteger();
        }
      };

  private static final ClassValue<Optional<String>> FAULTS =
      new ClassValue<>() {
        @Override
        protected Optional<String> computeValue(Class<?> type) {
          RoundTripCheck walk = new RoundTripCheck();
          return walk.fault("", walk.context.constructType(type));
        }
      };

  private final DeserializationContext context = Json.reading();
  private final Set<JavaType> seen = new HashSet<>();

  private RoundTripCheck() {}

  /**
   * Checks that values of a type can be read back.
   *
   * @param kind what errors call it: a message, a state, an event
   * @throws CodecException if no {@code type} could be read back; names the component, its type and
   *     what would be right
   */
  static void check(String kind, Class<?> type) {
    Optional<String> fault = FAULTS.get(type);
    if (fault.isPresent()) {
      throw CodecException.unreadable(what(kind, type), fault.get());
    }
  }

  /**
   * Checks that a value was written such that it can be read back.
   *
   * @param json as which it was written
   * @throws CodecException if it cannot be read
   */
  static void check(String kind, Object value, byte[] json) {
    Class<?> type = value.getClass();
    AtomicInteger written = WRITTEN.get(type);
    if (json.length <= MOST_READ_BACK && written.get() < READ_BACK) {
      try {
        Object unused = Json.reader(type).readValue(json);
      } catch (IOException | IllegalArgumentException e) {
        throw CodecException.unreadable(what(kind, type), e);
      }
      written.incrementAndGet();
    }
  }

  /** Returns what errors call a value of a type. */
  static String what(String kind, Class<?> type) {
    return "%s \"%s\" (%s)".formatted(kind, MessageType.of(type).name(), type.getName());
  }

  /**
   * Returns the fault of a component that could not be read back; empty if there is none.
   *
   * @param path of the component; empty for the whole
   */
  private Optional<String> fault(String path, JavaType type) {
    if (!seen.add(type)) {
      return Optional.empty();
    }
    if (type.isReferenceType()) {
      return fault(path, type.getContentType());
    }
    try {
      return fault(path, type, context.findContextualValueDeserializer(type, null));
    } catch (JsonMappingException e) {
      Optional<String> within =
          first(
              components(type).stream()
                  .map(each -> new Part(join(path, each.getName()), generic(type, each), null)));
      return within.isPresent() ? within : refused(path, type, e.getOriginalMessage());
    }
  }

  private Optional<String> fault(String path, JavaType type, JsonDeserializer<?> reader)
      throws JsonMappingException {
    String lost = LOSSY.get(type.getRawClass().getName());
    if (NoClassNames.isNeeded(context.getConfig().findTypeDeserializer(type))) {
      return refused(path, type, NoClassNames.WHY);
    } else if (lost != null) {
      return refused(path, type, lost);
    } else if (reader instanceof AbstractDeserializer) {
      TypeDeserializer names = context.getConfig().findTypeDeserializer(type);
      return names == null
          ? refused(path, type, "JSON does not say which class of it was written")
          : named(path, type, names, null);
    } else if (reader instanceof UnsupportedTypeDeserializer) {
      return refused(path, type, "it has no JSON form");
    } else if (reader.handledType() == Object.class) {
      return refused(path, type, "it may hold any class, and JSON does not say which was written");
    } else if (type.isMapLikeType() && isVague(type.getKeyType().getRawClass())) {
      return refused(path + "{}", type.getKeyType(), "a key in JSON is read back as a text");
    } else if (reader instanceof ContainerDeserializerBase<?> all) {
      return fault(path + (type.isMapLikeType() ? "{}" : "[]"), all.getContentType());
    }
    return reader instanceof BeanDeserializerBase bean ? fault(path, type, bean) : Optional.empty();
  }

  /** Returns whether map keys of that class are read back as another class. */
  private static boolean isVague(Class<?> key) {
    return key == Object.class || key == Class.class;
  }

  private Optional<String> fault(String path, JavaType type, BeanDeserializerBase bean) {
    ValueInstantiator makes = bean.getValueInstantiator();
    if (!makes.canInstantiate()) {
      return refused(
          path,
          type,
          "it has neither a constructor for all its fields nor one without parameters (a class needs -parameters when it is compiled, a record does not)");
    }
    Optional<String> hidden = hidden(path, type).or(() -> scalar(path, type, makes));
    if (hidden.isPresent()) {
      return hidden;
    }
    List<Part> parts = new ArrayList<>();
    for (JavaType whole :
        new JavaType[] {
          makes.getDelegateType(context.getConfig()),
          makes.getArrayDelegateType(context.getConfig())
        }) {
      if (whole != null) {
        parts.add(new Part(path, whole, null));
      }
    }
    bean.creatorProperties().forEachRemaining(each -> add(parts, path, each));
    bean.properties().forEachRemaining(each -> add(parts, path, each));
    return first(parts.stream());
  }

  private void add(List<Part> parts, String path, SettableBeanProperty property) {
    if (property.getAnnotation(JsonDeserialize.class) == null) {
      parts.add(new Part(join(path, property.getName()), property.getType(), property));
    }
  }

  /**
   * Returns the fault of a component whose own {@link JsonTypeInfo} tells its classes, or those of
   * its elements, apart.
   */
  private Optional<String> named(String path, JavaType type, SettableBeanProperty property) {
    if (type.isContainerType() || type.isReferenceType()) {
      String within = path + (type.isMapLikeType() ? "{}" : type.isContainerType() ? "[]" : "");
      return named(within, type.getContentType(), property);
    }
    return named(path, type, property.getValueTypeDeserializer(), property.getMember());
  }

  /**
   * Returns the fault of a type whose classes names tell apart: a class of it that has none, or one
   * that could not be read back.
   *
   * @param names null if they are those of elements
   * @param member the component that has the names; null if the type has them
   */
  private Optional<String> named(
      String path,
      JavaType type,
      @Nullable TypeDeserializer names,
      @Nullable AnnotatedMember member) {
    SubtypeResolver resolver = context.getConfig().getSubtypeResolver();
    Set<Class<?>> known = new LinkedHashSet<>();
    Collection<NamedType> all =
        member == null
            ? resolver.collectAndResolveSubtypesByTypeId(
                context.getConfig(),
                context.getConfig().introspectClassAnnotations(type).getClassInfo())
            : resolver.collectAndResolveSubtypesByTypeId(context.getConfig(), member, type);
    all.forEach(each -> known.add(each.getType()));
    if (names == null || names.getTypeIdResolver().getMechanism() != JsonTypeInfo.Id.CUSTOM) {
      Optional<Class<?>> unnamed =
          concrete(type.getRawClass()).filter(each -> !known.contains(each)).findFirst();
      if (unnamed.isPresent()) {
        return refused(
            path,
            type,
            "it may be a %s, which its @JsonTypeInfo could not read: add @JsonSubTypes with a name for each"
                .formatted(unnamed.get().getName()));
      } else if (known.stream().allMatch(each -> Modifier.isAbstract(each.getModifiers()))) {
        return refused(
            path,
            type,
            "its @JsonTypeInfo knows no subtype of it: add @JsonSubTypes with a name for each");
      }
    }
    return first(
        known.stream()
            .filter(each -> each != type.getRawClass())
            .map(each -> new Part(path, context.constructType(each), null)));
  }

  /** Returns the classes that objects of a type may have, as far as the type says so. */
  private static Stream<Class<?>> concrete(Class<?> type) {
    return Stream.concat(
        Modifier.isAbstract(type.getModifiers()) ? Stream.empty() : Stream.of(type),
        type.isSealed()
            ? Arrays.stream(type.getPermittedSubclasses()).flatMap(RoundTripCheck::concrete)
            : Stream.empty());
  }

  private record Part(String path, JavaType type, @Nullable SettableBeanProperty property) {}

  private Optional<String> first(Stream<Part> parts) {
    return parts.flatMap(each -> fault(each).stream()).findFirst();
  }

  private Optional<String> fault(Part part) {
    SettableBeanProperty property = part.property();
    JsonTypeInfo own = property == null ? null : property.getAnnotation(JsonTypeInfo.class);
    return property == null || own == null || NoClassNames.isNeeded(own.use())
        ? fault(part.path(), part.type())
        : named(part.path(), part.type(), property);
  }

  /**
   * Returns the fault of a record of which Jackson writes a getter of another type in place of a
   * component.
   */
  private static Optional<String> hidden(String path, JavaType type) {
    for (RecordComponent each : components(type)) {
      String name = each.getName();
      String suffix = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
      for (Method method : type.getRawClass().getMethods()) {
        if (isGetter(method, suffix) && boxed(method.getReturnType()) != boxed(each.getType())) {
          return Optional.of(
              "its component \"%s\" would be written as what its method %s() returns; give the method a name that is not that of a getter"
                  .formatted(join(path, name), method.getName()));
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the fault of a class that is written as a text or a number, and read as an object. */
  private Optional<String> scalar(String path, JavaType type, ValueInstantiator makes) {
    AnnotatedMember value = Json.written(type).findJsonValueAccessor();
    if (value == null || makes.canCreateUsingDelegate() || makes.canCreateUsingArrayDelegate()) {
      return Optional.empty();
    }
    Class<?> written = boxed(value.getRawType());
    boolean lacks;
    if (CharSequence.class.isAssignableFrom(written) || written.isEnum()) {
      lacks = !makes.canCreateFromString();
    } else if (Number.class.isAssignableFrom(written)) {
      lacks =
          !(makes.canCreateFromInt()
              || makes.canCreateFromLong()
              || makes.canCreateFromBigInteger()
              || makes.canCreateFromDouble()
              || makes.canCreateFromBigDecimal());
    } else {
      lacks = written == Boolean.class && !makes.canCreateFromBoolean();
    }
    return lacks
        ? refused(
            path,
            type,
            "it is written as what %s() returns (@JsonValue), which no @JsonCreator of it takes"
                .formatted(value.getName()))
        : Optional.empty();
  }

  private static boolean isGetter(Method method, String suffix) {
    Class<?> returned = boxed(method.getReturnType());
    return method.getParameterCount() == 0
        && !Modifier.isStatic(method.getModifiers())
        && (method.getName().equals("get" + suffix)
            ? returned != Void.class
            : method.getName().equals("is" + suffix) && returned == Boolean.class);
  }

  private static Class<?> boxed(Class<?> type) {
    return MethodType.methodType(type).wrap().returnType();
  }

  private static List<RecordComponent> components(JavaType type) {
    return type.getRawClass().isRecord()
        ? List.of(type.getRawClass().getRecordComponents())
        : List.of();
  }

  private JavaType generic(JavaType owner, RecordComponent component) {
    return context
        .getTypeFactory()
        .resolveMemberType(component.getGenericType(), owner.getBindings());
  }

  private static String join(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private static Optional<String> refused(String path, JavaType type, String why) {
    String what = path.isEmpty() ? "it is a" : "its component \"%s\" is a".formatted(path);
    return Optional.of("%s %s: %s; %s".formatted(what, type.toCanonical(), why, RIGHT));
  }
}
