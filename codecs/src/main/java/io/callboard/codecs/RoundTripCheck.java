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
import com.fasterxml.jackson.databind.jsontype.NamedType;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Check whether what is written of a class could ever be read back. Jackson writes an object as
 * what it is, but reads it as what its component declares: of an {@code Object} or a {@code
 * Runnable} the JSON does not say which. So the readers that Jackson makes are examined, component
 * by component, once for each class. A method that is named like the getter of a component hides
 * it. What says itself how it is read ({@link JsonDeserialize}, {@link JsonTypeInfo}) is believed.
 */
final class RoundTripCheck {
  private static final String RIGHT =
      "use a record, an enum, a value type of the JDK, a sealed interface of records that"
          + " @JsonTypeInfo and @JsonSubTypes tell apart, an ActorRef, a List, Set, Map or Optional"
          + " of these, or a JsonNode for any JSON";

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
      String what = "%s \"%s\" (%s)".formatted(kind, MessageType.of(type).name(), type.getName());
      throw CodecException.unreadable(what, fault.get());
    }
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
                  .map(each -> new Part(join(path, each.getName()), generic(type, each))));
      return within.isPresent() ? within : refused(path, type, e.getOriginalMessage());
    }
  }

  private Optional<String> fault(String path, JavaType type, JsonDeserializer<?> reader)
      throws JsonMappingException {
    if (NoClassNames.isNeeded(context.getConfig().findTypeDeserializer(type))) {
      return refused(path, type, NoClassNames.WHY);
    } else if (reader instanceof AbstractDeserializer) {
      return context.getConfig().findTypeDeserializer(type) == null
          ? refused(path, type, "JSON does not say which class of it was written")
          : first(named(path, type));
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
    Optional<String> hidden = hidden(path, type);
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
        parts.add(new Part(path, whole));
      }
    }
    bean.creatorProperties().forEachRemaining(each -> add(parts, path, each));
    bean.properties().forEachRemaining(each -> add(parts, path, each));
    return first(parts.stream());
  }

  private static void add(List<Part> parts, String path, SettableBeanProperty property) {
    if (property.getAnnotation(JsonDeserialize.class) == null
        && !isNamed(property.getAnnotation(JsonTypeInfo.class))) {
      parts.add(new Part(join(path, property.getName()), property.getType()));
    }
  }

  private static boolean isNamed(@Nullable JsonTypeInfo info) {
    return info != null && !NoClassNames.isNeeded(info.use());
  }

  /** Returns the named subtypes that a component of that type may hold in JSON. */
  private Stream<Part> named(String path, JavaType type) {
    return context
        .getConfig()
        .getSubtypeResolver()
        .collectAndResolveSubtypesByTypeId(
            context.getConfig(),
            context.getConfig().introspectClassAnnotations(type).getClassInfo())
        .stream()
        .map(NamedType::getType)
        .filter(each -> each != type.getRawClass())
        .map(each -> new Part(path, context.constructType(each)));
  }

  private record Part(String path, JavaType type) {}

  private Optional<String> first(Stream<Part> parts) {
    return parts.flatMap(each -> fault(each.path(), each.type()).stream()).findFirst();
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
