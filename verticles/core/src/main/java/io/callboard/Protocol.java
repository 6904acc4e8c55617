package io.callboard;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.vertx.core.Future;
import java.io.Serializable;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which handler takes which type of message: a behaviour of an actor. Filled by an actor's {@code
 * protocol} method at each start, or for {@code become}, and checked: a type of the sealed protocol
 * without a handler fails by its name.
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

  /** Handles messages of one type; null or a future with which it is done. */
  private interface Handler<M> extends Function<M, @Nullable Future<?>> {}

  /** Calls a handler whose turn waits for its future. */
  interface Waiting {
    @Nullable Future<?> call(Supplier<? extends @Nullable Future<?>> handler);
  }

  /**
   * @param querying answers the message at hand with what a query tells
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
   * A handler that is done when it returns, as a lambda or a method reference. Serializable, for
   * then it can be told which method it is: nothing is ever written of it.
   */
  @FunctionalInterface
  public interface MessageHandler<T> extends Consumer<T>, Serializable {}

  /**
   * {@code handler} is done when it returns: whatever it has begun has no turn from then on.
   *
   * @throws IllegalStateException if it is a method that returns a future, which nobody would wait
   *     for: that is declared with {@link #async}
   */
  @CanIgnoreReturnValue
  public <T extends M> Protocol<M> message(Class<T> type, MessageHandler<? super T> handler) {
    requireHandler(handler);
    DroppedFuture.refuse("message", type, handler);
    return message(type, (Consumer<? super T>) handler);
  }

  /** The same with a handler that was made elsewhere. */
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

  /** {@code handler} is done when its future is; no other message is handled meanwhile. */
  @CanIgnoreReturnValue
  public <T extends M> Protocol<M> async(
      Class<T> type, Function<? super T, ? extends Future<?>> handler) {
    requireHandler(handler);
    return put(type, message -> waiting.call(() -> handler.apply(type.cast(message))));
  }

  /**
   * {@code answer} is the answer, of the state as it is in the order of the mailbox: everything
   * told before, and durable, is in it, whichever node the actor runs on. (Of an actor that is not
   * exactly-once it may be the answer of one that was replaced and does not know yet.) It only
   * reads: in a durable actor whatever it tells, stores or starts fails it. So messages behind it
   * are handled while its turn commits; it may be asked again of a later life, if a node dies
   * before.
   */
  @CanIgnoreReturnValue
  public <T extends M> Protocol<M> query(Class<T> type, Function<? super T, ?> answer) {
    requireHandler(answer);
    Consumer<T> asked = question -> querying.accept(() -> answer.apply(question));
    return message(type, asked);
  }

  /**
   * {@code handler} takes every type that has no handler of its own.
   *
   * @throws IllegalStateException as {@link #message(Class, MessageHandler)}
   */
  @CanIgnoreReturnValue
  public Protocol<M> others(MessageHandler<? super M> handler) {
    requireHandler(handler);
    DroppedFuture.refuse("others", root, handler);
    return others((Consumer<? super M>) handler);
  }

  /** The same with a handler that was made elsewhere. */
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
   * Lets the actor understand another protocol: its messages are translated by {@code adapter} when
   * they are handled, and then handled like any other. Who is to send them gets the actor's {@link
   * Actor#self(Class)} of that protocol.
   *
   * <p>Adapters are the actor's, not one behaviour's: they are declared in {@link Actor#protocol}.
   * A behaviour that comes later may name one again, and then has its own translation.
   *
   * @param foreign a sealed interface of records, or one record, none of which is in the actor's
   *     own protocol or in another adapter
   */
  @CanIgnoreReturnValue
  public <F> Protocol<M> adapt(Class<F> foreign, Function<? super F, ? extends M> adapter) {
    Objects.requireNonNull(
        foreign, "foreign is null: give the root of the protocol that is translated");
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

  /** By the root of the protocol that each understands. */
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

  void check(Set<Class<? extends M>> all, String actor) {
    if (others != null) {
      return;
    }
    Set<String> missing = new TreeSet<>();
    for (Class<? extends M> type : all) {
      if (find(type) == null) {
        missing.add(type.getSimpleName());
      }
    }
    if (!missing.isEmpty()) {
      throw new IllegalStateException(
          "%s does not handle %s of its protocol %s"
              .formatted(actor, missing, root.getSimpleName()));
    }
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
