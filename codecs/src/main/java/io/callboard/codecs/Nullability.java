package io.callboard.codecs;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Rules for the components that JSON may lack: those annotated with any {@code Nullable}, on the
 * type or on the declaration, and those that are an {@link Optional} of any kind.
 */
public final class Nullability {
  private static final Set<Class<?>> OPTIONAL =
      Set.of(Optional.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class);

  private Nullability() {}

  /** Returns whether a component of a record may be missing or null in JSON. */
  public static boolean mayBeNull(RecordComponent component) {
    return mayBeNull(component, component.getType(), component.getAnnotatedType());
  }

  /** Returns whether a field may be missing or null in JSON. */
  public static boolean mayBeNull(Field field) {
    return mayBeNull(field, field.getType(), field.getAnnotatedType());
  }

  private static boolean mayBeNull(AnnotatedElement declared, Class<?> raw, AnnotatedType type) {
    return OPTIONAL.contains(raw)
        || Stream.of(declared.getAnnotations(), type.getAnnotations())
            .flatMap(Arrays::stream)
            .map(Annotation::annotationType)
            .anyMatch(annotation -> annotation.getSimpleName().equals("Nullable"));
  }
}
