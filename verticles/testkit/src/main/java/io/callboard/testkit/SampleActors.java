package io.callboard.testkit;

import io.callboard.Actor;
import io.callboard.DurableStateActor;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Actors for tests in which it does not matter how an actor is written: two that add up, and
 * factories of actors that do one thing with each message of a given type.
 */
public final class SampleActors {
  private SampleActors() {}

  /** Message to a {@link Counter} or a {@link Ledger}; the answer is the {@link Total}. */
  public record Add(int amount) {}

  /** Event of a {@link Ledger}. */
  public record Added(int amount) {}

  /** State of a {@link Counter} and of a {@link Ledger}. */
  public record Total(int value) {}

  /** Durable actor that adds up the amounts that it receives; a negative one makes it fail. */
  public static final class Counter extends DurableStateActor<Add, Total> {
    @Override
    protected Total initial() {
      return new Total(0);
    }

    @Override
    protected void protocol(Protocol<Add> on) {
      on.message(
          Add.class,
          add -> {
            if (add.amount() < 0) {
              throw new IllegalArgumentException("negative");
            }
            update(new Total(state().value() + add.amount()));
            reply(state());
          });
    }
  }

  /** Persistent actor that adds up the amounts that it receives. */
  public static final class Ledger extends PersistentActor<Add, Added, Total> {
    @Override
    protected Total initial() {
      return new Total(0);
    }

    @Override
    protected Total apply(Total state, Added event) {
      return new Total(state.value() + event.amount());
    }

    @Override
    protected void protocol(Protocol<Add> on) {
      on.message(
          Add.class,
          add -> {
            persist(new Added(add.amount()));
            reply(state());
          });
    }
  }

  /** Returns a factory of actors that do nothing with their messages. */
  public static <M> Supplier<Actor<M>> idle(Class<M> type) {
    return hearing(type, message -> {});
  }

  /** Returns a factory of actors that fail with each message. */
  public static <M> Supplier<Actor<M>> failing(Class<M> type, String why) {
    return hearing(
        type,
        message -> {
          throw new IllegalStateException(why);
        });
  }

  /** Returns a factory of actors that hand each message to {@code hears}, within the turn. */
  public static <M> Supplier<Actor<M>> hearing(Class<M> type, Consumer<? super M> hears) {
    return () -> new Hearing<>(type, hears);
  }

  /** Returns a factory of actors that answer each message. */
  public static <M> Supplier<Actor<M>> answering(Class<M> type, Function<? super M, ?> answer) {
    return () -> new Answering<>(type, answer);
  }

  /**
   * Returns a factory of durable actors that fold their messages into their state, and answer with
   * it. If {@code next} throws, the turn fails.
   *
   * @param initial first state; its class is the type of the state
   */
  public static <M, S> Supplier<DurableStateActor<M, S>> folding(
      Class<M> type, S initial, BiFunction<? super S, ? super M, ? extends S> next) {
    return () -> new Folding<>(type, initial, next);
  }

  private static final class Hearing<M> extends Actor<M> {
    private final Class<M> type;
    private final Consumer<? super M> hears;

    Hearing(Class<M> type, Consumer<? super M> hears) {
      this.type = type;
      this.hears = hears;
    }

    @Override
    public Class<M> messageType() {
      return type;
    }

    @Override
    protected void protocol(Protocol<M> on) {
      on.others(hears);
    }
  }

  private static final class Answering<M> extends Actor<M> {
    private final Class<M> type;
    private final Function<? super M, ?> answer;

    Answering(Class<M> type, Function<? super M, ?> answer) {
      this.type = type;
      this.answer = answer;
    }

    @Override
    public Class<M> messageType() {
      return type;
    }

    @Override
    protected void protocol(Protocol<M> on) {
      on.others(message -> reply(answer.apply(message)));
    }
  }

  private static final class Folding<M, S> extends DurableStateActor<M, S> {
    private final Class<M> type;
    private final S initial;
    private final BiFunction<? super S, ? super M, ? extends S> next;

    Folding(Class<M> type, S initial, BiFunction<? super S, ? super M, ? extends S> next) {
      this.type = type;
      this.initial = initial;
      this.next = next;
    }

    @Override
    public Class<M> messageType() {
      return type;
    }

    @Override
    @SuppressWarnings("unchecked") // it is the class of an S
    public Class<S> stateType() {
      return (Class<S>) initial.getClass();
    }

    @Override
    protected S initial() {
      return initial;
    }

    @Override
    protected void protocol(Protocol<M> on) {
      on.others(
          message -> {
            update(next.apply(state(), message));
            reply(state());
          });
    }
  }
}
