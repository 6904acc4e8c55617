package io.callboard.codecs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.TreeMap;

/** The {@link Upcast} methods of one type: all its steps, from version 1 to its own. */
final class Upcasters {
  private final MessageType type;
  private final Map<Integer, Method> steps;

  private Upcasters(MessageType type, Map<Integer, Method> steps) {
    this.type = type;
    this.steps = steps;
  }

  /**
   * Returns the upcasters of a type.
   *
   * @throws IllegalArgumentException if a step is missing, there twice, of another shape, or leads
   *     beyond the type's version; the message names it
   */
  static Upcasters of(Class<?> owner) {
    MessageType type = MessageType.of(owner);
    Map<Integer, Method> steps = new TreeMap<>();
    for (Method method : owner.getDeclaredMethods()) {
      Upcast step = method.getAnnotation(Upcast.class);
      if (step != null) {
        checkShape(owner, method);
        Method other = steps.put(step.from(), method);
        if (other != null) {
          throw new IllegalArgumentException(
              "%s has two methods with @Upcast(from = %d)".formatted(owner.getName(), step.from()));
        }
        method.setAccessible(true);
      }
    }
    checkChain(owner, type.version(), steps);
    return new Upcasters(type, steps);
  }

  private static void checkShape(Class<?> owner, Method method) {
    boolean fits =
        Modifier.isStatic(method.getModifiers())
            && method.getReturnType() == ObjectNode.class
            && method.getParameterCount() == 1
            && method.getParameterTypes()[0] == ObjectNode.class;
    if (!fits) {
      throw new IllegalArgumentException(
          "%s.%s has @Upcast, so it must be: static ObjectNode %s(ObjectNode old)"
              .formatted(owner.getName(), method.getName(), method.getName()));
    }
  }

  private static void checkChain(Class<?> owner, int version, Map<Integer, Method> steps) {
    for (int from = 1; from < version; from++) {
      if (!steps.containsKey(from)) {
        throw new IllegalArgumentException(
            ("%s has version %d, but no upcast step from version %d to %d: add"
                    + " \"@Upcast(from = %d) static ObjectNode …(ObjectNode old)\" to it")
                .formatted(owner.getName(), version, from, from + 1, from));
      }
    }
    steps.forEach(
        (from, method) -> {
          if (from < 1 || from >= version) {
            throw new IllegalArgumentException(
                "%s.%s upcasts from version %d to %d, but @Named gives the type version %d"
                    .formatted(owner.getName(), method.getName(), from, from + 1, version));
          }
        });
  }

  /**
   * Returns {@code body} in the present version of the type.
   *
   * @param what names the body in errors
   * @param body of version {@code from}; not changed
   * @throws CodecException if it is no JSON object, or a step fails
   */
  JsonNode upcast(String what, int from, JsonNode body) {
    if (!(body instanceof ObjectNode object)) {
      throw CodecException.malformed(
          what, "it is not a JSON object, but version %d was".formatted(from));
    }
    ObjectNode now = object.deepCopy();
    for (int version = from; version < type.version(); version++) {
      now = step(what, version, now);
    }
    return now;
  }

  private ObjectNode step(String what, int from, ObjectNode old) {
    Method method = steps.get(from);
    if (method == null) {
      throw new IllegalStateException("no upcast step from version %d of %s".formatted(from, type));
    }
    Object made;
    try {
      made = method.invoke(null, old);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Error missing) {
        throw missing; // such as a class that is not there: not the fault of the body
      }
      Throwable cause = e.getCause();
      throw CodecException.malformed(
          what, "its upcast step from version %d failed: %s".formatted(from, cause), cause);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(method + " cannot be called", e);
    }
    if (!(made instanceof ObjectNode next)) {
      throw CodecException.malformed(
          what, "its upcast step from version %d returned null".formatted(from));
    }
    return next;
  }
}
