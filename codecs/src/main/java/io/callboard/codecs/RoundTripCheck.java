package io.callboard.codecs;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
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
import com.fasterxml.jackson.databind.ser.impl.UnknownSerializer;
import com.fasterxml.jackson.databind.ser.std.BeanSerializerBase;
import io.callboard.codecs.internal.roundtrip.FieldsOfClass;
import io.callboard.codecs.internal.roundtrip.JsonDifference;
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
 * it. A field of a class that Jackson does not write, or does not read, would be lost without a
 * word. What says itself how it is read ({@link JsonDeserialize}, a resolver of names) is believed;
 * therefore the first {@value #READ_BACK} values of a class are read back when they are written,
 * and compared: but for exceptions, which are never read back as they were, and what getters return
 * that nothing reads.
 */
final class RoundTripCheck {
  private static final String RIGHT =
      "use a record, an enum, a value type of the JDK, a sealed interface of records that"
          + " @JsonTypeInfo and @JsonSubTypes tell apart, an ActorRef, a List, Set, Map or Optional"
          + " of these, or a JsonNode for any JSON";

  private static final int READ_BACK = 100;

  /** Longest JSON that is read back, so that large messages are not parsed twice. */
  private static final int MOST_READ_BACK = 1 << 20;

  private static final String ABSOLUTE =
      "a relative one would be read back as absolute; a text keeps it";

  private static final String PROMISED =
      "nobody would complete it once it is read; the value that it had, or an Optional, is kept";

  private static final Map<String, String> LOSSY =
      Map.ofEntries(
          Map.entry(
              "java.util.Calendar", "its time zone would be lost, which a ZonedDateTime keeps"),
          Map.entry(
              "java.util.GregorianCalendar",
              "its time zone would be lost, which a ZonedDateTime keeps"),
          Map.entry("java.sql.Timestamp", "its nanoseconds would be lost, which an Instant keeps"),
          Map.entry(
              "java.util.BitSet",
              "its bits would be lost, which a Set of numbers or a byte[] keeps"),
          Map.entry(
              "java.util.regex.Pattern",
              "its flags would be lost, which its text keeps if they are in it, such as (?i)"),
          Map.entry("java.util.SimpleTimeZone", "its rules would be lost, which a ZoneId keeps"),
          Map.entry("java.io.File", ABSOLUTE),
          Map.entry("java.nio.file.Path", ABSOLUTE),
          Map.entry("java.util.concurrent.Future", PROMISED),
          Map.entry("java.util.concurrent.CompletionStage", PROMISED),
          Map.entry("java.util.concurrent.CompletableFuture", PROMISED));

  private static final ClassValue<AtomicInteger> WRITTEN =
      new ClassValue<>() {
        @Override
        protected AtomicInteger computeValue(Class<?> type) {
          return new AtomicInteger();
        }
      };

  /**
   * Findings about a class and all that it holds.
   *
   * @param derived names of what is written only, as getters return it
   * @param comparable whether values can be compared with what is read back
   */
  private record Findings(Optional<String> fault, Set<String> derived, boolean comparable) {}

  private static final ClassValue<Findings> FINDINGS =
      new ClassValue<>() {
        @Override
        protected Findings computeValue(Class<?> type) {
          RoundTripCheck walk = new RoundTripCheck();
          Optional<String> fault = walk.fault("", walk.context.constructType(type));
          return new Findings(
              fault,
              Set.copyOf(walk.derived),
              walk.seen.stream().noneMatch(each -> each.isTypeOrSubTypeOf(Throwable.class)));
        }
      };

  private final DeserializationContext context = Json.reading();
  private final Set<JavaType> seen = new HashSet<>();
  private final Set<String> derived = new HashSet<>();

  private RoundTripCheck() {}

  /**
   * Checks that values of a type can be read back.
   *
   * @param kind what errors call it: a message, a state, an event
   * @throws CodecException if no {@code type} could be read back; names the component, its type and
   *     what would be right
   */
  static void check(String kind, Class<?> type) {
    Optional<String> fault = FINDINGS.get(type).fault();
    if (fault.isPresent()) {
      throw CodecException.unreadable(what(kind, type), fault.get());
    }
  }

  /**
   * Checks that a value was written such that it can be read back.
   *
   * @param json as which it was written
   * @throws CodecException if it cannot be read, or is read back as another
   */
  static void check(String kind, Object value, byte[] json) {
    Class<?> type = value.getClass();
    AtomicInteger written = WRITTEN.get(type);
    if (json.length <= MOST_READ_BACK && written.get() < READ_BACK) {
      Object read;
      try {
        read = Json.reader(type).readValue(json);
      } catch (IOException | IllegalArgumentException e) {
        throw CodecException.unreadable(what(kind, type), e);
      }
      Optional<String> changed = changed(value, read, json);
      if (changed.isPresent()) {
        throw CodecException.unreadable(
            what(kind, type),
            "%s would not come back as it was; %s"
                .formatted(
                    changed.get().isEmpty() ? "it" : "its \"%s\"".formatted(changed.get()), RIGHT));
      }
      written.incrementAndGet();
    }
  }

  /**
   * Returns the place of what is lost, or changed, when a value is read back; empty if nothing is,
   * or if the value is never written twice in the same way.
   */
  private static Optional<String> changed(Object value, @Nullable Object read, byte[] json) {
    Findings findings = FINDINGS.get(value.getClass());
    if (read == null || !findings.comparable()) {
      return Optional.empty();
    }
    byte[] again = Json.uncheckedBytes(read);
    return Arrays.equals(json, again)
        ? Optional.empty()
        : difference(json, again, findings.derived())
            .filter(
                place ->
                    difference(json, Json.uncheckedBytes(value), findings.derived()).isEmpty());
  }

  private static Optional<String> difference(byte[] one, byte[] other, Set<String> derived) {
    return new JsonDifference(derived)
        .place(Json.parse("what is written", one), Json.parse("what is written", other));
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

  private Optional<String> fault(String path, JavaType type, BeanDeserializerBase bean)
      throws JsonMappingException {
    if (FieldsOfClass.isOfJdk(type.getRawClass()) && !type.isTypeOrSubTypeOf(Throwable.class)) {
      return refused(path, type, "it has no JSON form");
    }
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
    Optional<String> lost = lost(path, type, bean);
    if (lost.isPresent()) {
      return lost;
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

  /** Returns the fault of a class with a field that is not written, or not read. */
  private Optional<String> lost(String path, JavaType type, BeanDeserializerBase bean)
      throws JsonMappingException {
    JavaType made = bean.getValueType(); // of an interface, the class that it is read as
    JsonSerializer<?> writer = Json.writing().findValueSerializer(made);
    ValueInstantiator makes = bean.getValueInstantiator();
    if (!(writer instanceof BeanSerializerBase || writer instanceof UnknownSerializer)
        || makes.canCreateUsingDelegate()
        || makes.canCreateUsingArrayDelegate()) {
      return Optional.empty();
    }
    FieldsOfClass fields = new FieldsOfClass(Json.written(made), Json.describe(made), bean);
    derived.addAll(fields.derived());
    return fields
        .lost()
        .flatMap(
            field ->
                refused(
                    path,
                    type,
                    "its field \"%s\" of %s would be lost, as Jackson does not write it and read it back"
                        .formatted(field.getName(), field.getDeclaringClass().getName()),
                    FieldsOfClass.RIGHT));
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
    return refused(path, type, why, RIGHT);
  }

  private static Optional<String> refused(String path, JavaType type, String why, String right) {
    String what = path.isEmpty() ? "it is a" : "its component \"%s\" is a".formatted(path);
    return Optional.of("%s %s: %s; %s".formatted(what, type.toCanonical(), why, right));
  }
}
