package io.callboard;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Declarations of an actor's class: the arguments that it gives to type parameters of its
 * superclasses, and whether it handles messages itself.
 */
final class TypeArguments {
  private static final ClassValue<Class<?>> MESSAGE_TYPES =
      new ClassValue<>() {
        @Override
        protected Class<?> computeValue(Class<?> type) {
          return find(type, Actor.class, 0, "messageType");
        }
      };

  private static final ClassValue<Boolean> RECEIVING =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return type != Actor.class
              && (Arrays.stream(type.getDeclaredMethods())
                      .anyMatch(method -> method.getName().equals("receive"))
                  || get(type.getSuperclass()));
        }
      };

  private TypeArguments() {}

  /** Returns the root type of the protocol of an actor of that class. */
  static Class<?> messageType(Class<?> actor) {
    return MESSAGE_TYPES.get(actor);
  }

  /** Returns whether a class of actors overrides {@link Actor#receive}. */
  static boolean overridesReceive(Class<?> actor) {
    return RECEIVING.get(actor);
  }

  /**
   * Returns the class that an actor's class gives for a type parameter of one of its superclasses.
   *
   * @throws IllegalStateException if it is not a class there; the message says which method to
   *     override instead
   */
  static Class<?> find(Class<?> type, Class<?> superclass, int index, String override) {
    Map<TypeVariable<?>, Type> known = new HashMap<>();
    Class<?> current = type;
    while (current != superclass) {
      Type generic = current.getGenericSuperclass();
      Class<?> parent = current.getSuperclass();
      if (generic instanceof ParameterizedType parameterized) {
        Type[] arguments = parameterized.getActualTypeArguments();
        TypeVariable<?>[] variables = parent.getTypeParameters();
        for (int i = 0; i < arguments.length; i++) {
          Type argument = arguments[i];
          known.put(
              variables[i],
              argument instanceof TypeVariable<?> variable
                  ? known.getOrDefault(variable, variable)
                  : argument);
        }
      }
      current = parent;
    }
    Type found = known.get(superclass.getTypeParameters()[index]);
    if (found instanceof ParameterizedType parameterized) {
      found = parameterized.getRawType();
    }
    if (found instanceof Class<?> result) {
      return result;
    }
    throw new IllegalStateException(
        "%s leaves a type parameter of %s open: override %s()"
            .formatted(type.getName(), superclass.getSimpleName(), override));
  }
}
