package io.callboard;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.codecs.ProtocolCodec;
import io.vertx.core.Future;
import java.io.Serializable;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A behaviour of an actor: the handler of each message type of its protocol. It is filled by the
 * actor's {@code protocol} method at each start, or by {@code become}, and checked: a type of the
 * sealed protocol that has no handler fails the start with its name.
 */
public final class Protocol<M> {
  private static final int FEW = 2;

  private final Class<M> root;
  private final Consumer<Supplier<?>> querying;
  private final Waiting waiting;
  private Class<?>[] types = new Class<?>[FEW];
  private Handler<M>[] handlers = array(FEW);
  private int count;
  private @Nullable Handler<M> others;
  private Map<Class<?>, Function<Object, ? extends M>> adapters = Map.of();

  /** Handler of the messages of one type; returns null, or a future with which it has completed. */
  private interface Handler<M> extends Function<M, @Nullable Future<?>> {}

  /** Caller of a handler for whose future the turn waits. */
  interface Waiting {
    @Nullable Future<?> call(Supplier<? extends @Nullable Future<?>> handler);
  }

  /**
   * Creates an empty protocol.
   *
   * @param querying answers the message being handled with the result of a query
   */
  Protocol(Class<M> root, Consumer<Supplier<?>> querying, Waiting waiting) {
    this.root = root;
    this.querying = querying;
    this.waiting = waiting;
  }

  @SuppressWarnings("unchecked")
  private static <M> Handler<M>[] array(int length) {
    return (Handler<M>[]) new Handler<?>[length];
  }

  /**
   * A handler that has completed when it returns, as a lambda or a method reference. It is
   * serializable only so that its method can be inspected; it is never written.
   */
  @FunctionalInterface
  public interface MessageHandler<T> extends Consumer<T>, Serializable {}

  /**
   * Declares a handler that has completed when it returns; asynchronous work that it has begun
   * belongs to no turn from then on.
   *
   * @throws IllegalStateException if the handler is a method that returns a future, which would not
   *     be waited for: declare it with {@link #async}
   */
  @CanIgnoreReturnValue
  public <T extends M> Protocol<M> message(Class<T> type, MessageHandler<? super T> handler) {
    requireHandler(handler);
    DroppedFuture.refuse("message", type, handler);
    return message(type, (Consumer<? super T>) handler);
  }

  /**
   * {@link #message(Class, MessageHandler)} for a handler that was made elsewhere and is not
   * checked.
   */
  @CanIgnoreReturnValue
  public <T extends M> Protocol<M> message(Class<T> type, Consumer<? super T> handler) {
    requireHandler(handler);
    return put(
        type,
        message -> {
          handler.accept(type.cast(message));
          return null;
        });
  }

  /**
   * Declares an asynchronous handler: it has completed when its future has, and no other message is
   * handled meanwhile.
   */
  @CanIgnoreReturnValue
  public <T extends M> Protocol<M> async(
      Class<T> type, Function<? super T, ? extends Future<?>> handler) {
    requireHandler(handler);
    return put(type, message -> waiting.call(() -> handler.apply(type.cast(message))));
  }

  /**
   * Declares a query, whose result is the answer to the message. It reads the state in the order of
   * the mailbox: every message that was durable before the query is in it, on whichever node the
   * actor runs. (Unless the actor is exactly-once, the answer may come from an instance that was
   * replaced and does not know it yet.) A query only reads: in a durable actor it fails if it
   * tells, stores or starts anything. So messages behind it are handled while its turn commits; if
   * the node dies before, a later life may run it again.
   */
  @CanIgnoreReturnValue
  public <T extends M> Protocol<M> query(Class<T> type, Function<? super T, ?> answer) {
    requireHandler(answer);
    Consumer<T> asked = question -> querying.accept(() -> answer.apply(question));
    return message(type, asked);
  }

  /**
   * Declares the handler of all types that have none of their own.
   *
   * @throws IllegalStateException as {@link #message(Class, MessageHandler)}
   */
  @CanIgnoreReturnValue
  public Protocol<M> others(MessageHandler<? super M> handler) {
    requireHandler(handler);
    DroppedFuture.refuse("others", root, handler);
    return others((Consumer<? super M>) handler);
  }

  /** {@link #others(MessageHandler)} for a handler that was made elsewhere and is not checked. */
  @CanIgnoreReturnValue
  public Protocol<M> others(Consumer<? super M> handler) {
    requireHandler(handler);
    if (others != null) {
      throw new IllegalStateException("two handlers for all other types of " + root.getName());
    }
    others =
        message -> {
          handler.accept(message);
          return null;
        };
    return this;
  }

  /**
   * Declares an adapter for another protocol: {@code adapter} translates its messages when they are
   * handled, and the actor handles them like any other. Their senders use the ref {@link
   * Actor#self(Class)} of that protocol.
   *
   * <p>Adapters belong to the actor, not to one behaviour: they are declared in {@link
   * Actor#protocol}. A later behaviour may declare one again, and then uses its own translation.
   *
   * @param foreign a sealed interface of records, or one record, none of which is in the actor's
   *     own protocol or in another adapter
   */
  @CanIgnoreReturnValue
  public <F> Protocol<M> adapt(Class<F> foreign, Function<? super F, ? extends M> adapter) {
    Objects.requireNonNull(foreign, "foreign is null: give the root of the protocol to translate");
    Objects.requireNonNull(
        adapter,
        "adapter is null: give a function that makes a message of the actor's own protocol");
    if (adapters.isEmpty()) {
      adapters = new LinkedHashMap<>(2);
    }
    Function<Object, ? extends M> translation = message -> adapter.apply(foreign.cast(message));
    if (adapters.putIfAbsent(foreign, translation) != null) {
      throw new IllegalStateException("two adapters for " + foreign.getName());
    }
    return this;
  }

  /** Returns the adapters by the root type of their foreign protocol. */
  Map<Class<?>, Function<Object, ? extends M>> adapters() {
    return adapters;
  }

  private static void requireHandler(@Nullable Object handler) {
    Objects.requireNonNull(handler, "handler is null: give a function that takes the message");
  }

  private Protocol<M> put(Class<?> type, Handler<M> handler) {
    Objects.requireNonNull(type, "type is null: give the class of a message of the protocol");
    if (find(type) != null) {
      throw new IllegalStateException("two handlers for " + type.getName());
    }
    if (count == types.length) {
      types = Arrays.copyOf(types, 2 * count);
      handlers = Arrays.copyOf(handlers, 2 * count);
    }
    types[count] = type;
    handlers[count++] = handler;
    return this;
  }

  private @Nullable Handler<M> find(Class<?> type) {
    for (int i = 0; i < count; i++) {
      if (types[i] == type) {
        return handlers[i];
      }
    }
    return null;
  }

  /**
   * Returns which message types an actor has no handler for, as its start would report it; empty if
   * it has all, or if its handlers cannot be declared before the start. For the toolkit.
   *
   * @param actor a new actor, which is not started
   */
  public static <M> Optional<String> missing(Actor<M> actor) {
    Protocol<M> on = new Protocol<>(actor.messageType(), question -> {}, Supplier::get);
    try {
      actor.declareFirst(on);
    } catch (RuntimeException | Error e) {
      return Optional.empty(); // it needs its context; its start reports what is wrong
    }
    return on.missing(ProtocolCodec.of(actor.messageType()).types(), actor.getClass().getName());
  }

  void check(Set<Class<? extends M>> all, String actor) {
    missing(all, actor)
        .ifPresent(
            what -> {
              throw new IllegalStateException(what);
            });
  }

  /** Returns which types have no handler, in a sentence; empty if all have one. */
  Optional<String> missing(Set<Class<? extends M>> all, String actor) {
    if (others != null) {
      return Optional.empty();
    }
    Set<String> missing = new TreeSet<>();
    for (Class<? extends M> type : all) {
      if (find(type) == null) {
        missing.add(type.getSimpleName());
      }
    }
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s does not handle %s of its protocol %s"
                .formatted(actor, missing, root.getSimpleName()));
  }

  @Nullable Future<?> handle(M message) {
    Handler<M> handler = find(message.getClass());
    if (handler != null) {
      return handler.apply(message);
    }
    if (others != null && root.isInstance(message)) {
      return others.apply(message);
    }
    throw new CallboardException(
        CallboardException.Code.BAD_MESSAGE,
        "%s is not of protocol %s".formatted(message.getClass().getName(), root.getName()));
  }
}
