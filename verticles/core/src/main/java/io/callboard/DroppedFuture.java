package io.callboard;

import io.vertx.core.Future;
import java.io.Serializable;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Check for synchronous handlers that are methods which return a future: the future would be
 * dropped, and the turn would end before the work is done. Java accepts such a method as one that
 * returns nothing; only a serializable method reference reveals which method it names.
 */
final class DroppedFuture {
  /** The finding for the handlers of one place in the code. */
  private static final ClassValue<AtomicReference<@Nullable Inspection>> FINDINGS =
      new ClassValue<>() {
        @Override
        protected AtomicReference<@Nullable Inspection> computeValue(Class<?> type) {
          return new AtomicReference<>();
        }
      };

  /**
   * @param method that returns a future; null if it is well
   */
  private record Inspection(@Nullable String method) {}

  private DroppedFuture() {}

  /**
   * Refuses an asynchronous handler whose future would be dropped.
   *
   * @param word with which the handler is declared
   * @throws IllegalStateException if its future would be dropped
   */
  static void refuse(String word, Class<?> message, Serializable handler) {
    AtomicReference<@Nullable Inspection> place = FINDINGS.get(handler.getClass());
    Inspection found = place.get();
    if (found == null) {
      found = new Inspection(method(handler));
      place.set(found);
    }
    if (found.method() != null) {
      throw new IllegalStateException(
          ("on.%s(%s.class, …::%s): %s returns a future that the turn would not wait for: declare it with "
                  + "on.async(%s.class, …), or give a lambda if the turn need not wait")
              .formatted(
                  word,
                  message.getSimpleName(),
                  found.method(),
                  found.method(),
                  message.getSimpleName()));
    }
  }

  /** Returns the method that {@code handler} refers to, if that returns a future; else null. */
  private static @Nullable String method(Serializable handler) {
    try {
      Method written = handler.getClass().getDeclaredMethod("writeReplace");
      written.setAccessible(true);
      if (written.invoke(handler) instanceof SerializedLambda lambda) {
        Class<?> result =
            MethodType.fromMethodDescriptorString(
                    lambda.getImplMethodSignature(), handler.getClass().getClassLoader())
                .returnType();
        return isFuture(result) ? lambda.getImplMethodName() : null;
      }
      return null;
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      return null; // no lambda, or one of a module that keeps it to itself: nothing is known of it
    }
  }

  private static boolean isFuture(Class<?> result) {
    return Future.class.isAssignableFrom(result)
        || CompletionStage.class.isAssignableFrom(result)
        || java.util.concurrent.Future.class.isAssignableFrom(result);
  }
}
