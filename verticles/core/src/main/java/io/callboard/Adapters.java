package io.callboard;

import io.callboard.CallboardException.Code;
import io.callboard.codecs.ProtocolCodec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The protocols beside its own that an actor understands, each with its translation. */
final class Adapters<M> {
  private final String actor;
  private final ProtocolCodec<Object> codec;
  private final Map<Class<?>, Function<Object, ? extends M>> roots = new HashMap<>();
  private final Map<Class<?>, Class<?>> rootOf = new HashMap<>();

  private Adapters(Actor<M> actor, Map<Class<?>, Function<Object, ? extends M>> declared) {
    this.actor = actor.getClass().getName();
    this.codec = ProtocolCodec.of(actor.messageType(), declared.keySet());
    this.roots.putAll(declared);
    for (Class<?> root : declared.keySet()) {
      ProtocolCodec.of(root).types().forEach(type -> rootOf.put(type, root));
    }
  }

  /**
   * Returns the adapters of a protocol; null if {@code declared} has none.
   *
   * @throws IllegalArgumentException if a type or its logical name is in two of the protocols
   */
  static <M> @Nullable Adapters<M> of(Actor<M> actor, Protocol<M> declared) {
    return declared.adapters().isEmpty() ? null : new Adapters<>(actor, declared.adapters());
  }

  /** A behaviour that comes later may translate otherwise. */
  void add(Protocol<M> behaviour) {
    Set<Class<?>> more = new HashSet<>(behaviour.adapters().keySet());
    more.removeAll(roots.keySet());
    if (!more.isEmpty()) {
      throw undeclared(actor, more);
    }
    roots.putAll(behaviour.adapters());
  }

  static IllegalStateException undeclared(String actor, Set<Class<?>> more) {
    Set<String> names = new TreeSet<>();
    more.forEach(root -> names.add(root.getSimpleName()));
    return new IllegalStateException(
        "a behaviour of %s has adapters for %s, which protocol(on) does not declare"
            .formatted(actor, names));
  }

  boolean understands(Class<?> root) {
    return roots.containsKey(root);
  }

  ProtocolCodec<Object> codec() {
    return codec;
  }

  @SuppressWarnings("unchecked")
  M translate(Object message) {
    Class<?> root = rootOf.get(message.getClass());
    if (root == null) {
      return (M) message;
    }
    Function<Object, ? extends M> adapter = Objects.requireNonNull(roots.get(root));
    M own = adapter.apply(message);
    if (own == null) {
      throw new CallboardException(
          Code.BAD_MESSAGE,
          "the adapter of %s for %s returned null for a %s: return a message of the actor's protocol"
              .formatted(actor, root.getSimpleName(), message.getClass().getSimpleName()));
    }
    return own;
  }
}
