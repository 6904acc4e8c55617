package io.callboard;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which handler takes which type of message. Filled by an actor's {@code protocol} method at each
 * start, and checked: a type of the sealed protocol without a handler fails the start by its name.
 */
public final class Protocol<M> {
  private final Class<M> root;
  private final Map<Class<?>, Function<M, @Nullable Future<?>>> handlers = new LinkedHashMap<>();

  Protocol(Class<M> root) {
    this.root = root;
  }

  /** {@code handler} is done when it returns. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public <T extends M> Protocol<M> message(Class<T> type, Consumer<? super T> handler) {
    return put(
        type,
        message -> {
          handler.accept(type.cast(message));
          return null;
        });
  }

  /** {@code handler} is done when its future is; no other message is handled meanwhile. */
  @com.google.errorprone.annotations.CanIgnoreReturnValue
  public <T extends M> Protocol<M> async(
      Class<T> type, Function<? super T, ? extends Future<?>> handler) {
    return put(type, message -> handler.apply(type.cast(message)));
  }

  @com.google.errorprone.annotations.CanIgnoreReturnValue
  private Protocol<M> put(Class<?> type, Function<M, @Nullable Future<?>> handler) {
    if (handlers.putIfAbsent(type, handler) != null) {
      throw new IllegalStateException("two handlers for " + type.getName());
    }
    return this;
  }

  void check(Set<Class<? extends M>> types, String actor) {
    Set<String> missing =
        types.stream()
            .filter(type -> !handlers.containsKey(type))
            .map(Class::getSimpleName)
            .collect(Collectors.toCollection(java.util.TreeSet::new));
    if (!missing.isEmpty()) {
      throw new IllegalStateException(
          "%s does not handle %s of its protocol %s"
              .formatted(actor, missing, root.getSimpleName()));
    }
  }

  @Nullable Future<?> handle(M message) {
    Function<M, @Nullable Future<?>> handler = handlers.get(message.getClass());
    if (handler == null) {
      throw new CallboardException(
          CallboardException.Code.BAD_MESSAGE,
          "%s is not of protocol %s".formatted(message.getClass().getName(), root.getName()));
    }
    return handler.apply(message);
  }
}
