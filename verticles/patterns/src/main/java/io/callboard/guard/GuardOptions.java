package io.callboard.guard;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.HeldMessage;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Options of a {@link Guard}: backoff, limits, deadline and fallback. Setters change and return
 * this object; it is copied when used. Not thread-safe.
 *
 * @param <M> the protocol of the guarded actor
 */
public final class GuardOptions<M> {
  /** Upper bound of {@link #limit()}. */
  public static final int MOST = 1_000_000;

  /** Upper bound of {@link #attempts()}. */
  public static final int MOST_ATTEMPTS = 1_000;

  /** Listeners of one guard, at most. */
  public static final int MOST_LISTENERS = 100;

  private static final int LIMIT = 1_000;
  private static final int UNDER_WAY = 16;
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private Backoff backoff = Backoff.DEFAULT;
  private int limit = LIMIT;
  private int underWay = UNDER_WAY;
  private int attempts = ActorOptions.DEFAULT_ATTEMPTS;
  private Duration deadline = DEADLINE;
  private ActorOptions actor = guarded();
  private int openAfter = 1;
  private List<Consumer<? super GuardStateChange>> listeners = List.of();
  private @Nullable Consumer<HeldMessage<M>> fallback;

  /** Creates options with the defaults. */
  public GuardOptions() {}

  /** Creates a copy of other options. */
  public GuardOptions(GuardOptions<M> other) {
    backoff = other.backoff;
    limit = other.limit;
    underWay = other.underWay;
    attempts = other.attempts;
    deadline = other.deadline;
    actor = new ActorOptions(other.actor);
    openAfter = other.openAfter;
    listeners = other.listeners;
    fallback = other.fallback;
  }

  /**
   * Returns the options for a guarded actor, to be changed and given to {@link
   * #actor(ActorOptions)}: it is not on the event bus, and its supervisor restarts it within 50 ms,
   * up to 10,000 times in 2 minutes, because the guard does the waiting.
   */
  public static ActorOptions guarded() {
    Backoff soon = Backoff.exponential(Duration.ofMillis(5), Duration.ofMillis(50));
    return new ActorOptions()
        .onBus(false)
        .supervision(
            new SupervisionOptions().backoff(soon).intensity(10_000, Duration.ofMinutes(2)));
  }

  /** Returns the wait after a failure, before the next trial; default {@link Backoff#DEFAULT}. */
  public Backoff backoff() {
    return backoff;
  }

  /** Sets {@link #backoff()}. */
  @CanIgnoreReturnValue
  public GuardOptions<M> backoff(Backoff value) {
    backoff = Objects.requireNonNull(value, "backoff is null: give Backoff.DEFAULT or another");
    return this;
  }

  /**
   * Returns the limit of the messages that the guard holds, waiting or in flight; default 1,000.
   */
  public int limit() {
    return limit;
  }

  /**
   * Sets {@link #limit()}.
   *
   * @param messages 1 to {@value #MOST}
   */
  @CanIgnoreReturnValue
  public GuardOptions<M> limit(int messages) {
    limit = inRange("limit", messages, MOST);
    return this;
  }

  /** Returns the limit of the messages in flight to the guarded actor, default 16. */
  public int underWay() {
    return underWay;
  }

  /**
   * Sets {@link #underWay()}. With 1, messages keep their order in all cases. With more, messages
   * that the guarded actor had begun when one failed are not held back; only an actor that answers
   * with {@code replyWhen} has begun several.
   *
   * @param messages 1 to the limit, and to the mailbox limit of the guarded actor
   */
  @CanIgnoreReturnValue
  public GuardOptions<M> underWay(int messages) {
    underWay = inRange("underWay", messages, MOST);
    return this;
  }

  /**
   * Returns the number of failed attempts after which a message is given up, default {@value
   * ActorOptions#DEFAULT_ATTEMPTS}. Only attempts that the guarded actor has begun count.
   */
  public int attempts() {
    return attempts;
  }

  /**
   * Sets {@link #attempts()}. With few, a poisoned message holds up the others only briefly; with
   * many, the message that is tried in an outage survives a long one, because the two cases cannot
   * be distinguished. It survives the sum of so many backoffs.
   *
   * @param most 1 to {@value #MOST_ATTEMPTS}
   */
  @CanIgnoreReturnValue
  public GuardOptions<M> attempts(int most) {
    attempts = inRange("attempts", most, MOST_ATTEMPTS);
    return this;
  }

  /** Returns the number of consecutive failures that opens the circuit, default 1. */
  public int openAfter() {
    return openAfter;
  }

  /**
   * Sets {@link #openAfter()}. With more than one, a failed message is retried at once until so
   * many attempts, of whatever message, have failed without a success between them; each still
   * counts as an attempt of its message. Once open, the failure of a trial opens the circuit again.
   *
   * @param failures 1 to {@value #MOST_ATTEMPTS}
   */
  @CanIgnoreReturnValue
  public GuardOptions<M> openAfter(int failures) {
    openAfter = inRange("openAfter", failures, MOST_ATTEMPTS);
    return this;
  }

  /** Returns the listeners, in the order of their addition. */
  List<Consumer<? super GuardStateChange>> listeners() {
    return listeners;
  }

  /**
   * Adds a listener, to which each change of the circuit is reported once and in order: it has
   * opened, lets a trial through, or has closed. The end of the guard is no change.
   *
   * @param listener runs in the guard, after its other actions at that moment, so it must not
   *     block; its exceptions are only logged
   * @throws IllegalArgumentException if there are {@value #MOST_LISTENERS}
   */
  @CanIgnoreReturnValue
  public GuardOptions<M> listener(Consumer<? super GuardStateChange> listener) {
    Objects.requireNonNull(listener, "listener is null: give a consumer of state changes");
    if (listeners.size() >= MOST_LISTENERS) {
      throw new IllegalArgumentException(
          "a guard has at most %d listeners: let one of them notify the others"
              .formatted(MOST_LISTENERS));
    }
    List<Consumer<? super GuardStateChange>> more = new ArrayList<>(listeners);
    more.add(listener);
    listeners = List.copyOf(more);
    return this;
  }

  private static int inRange(String what, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException("%s must be 1 to %d, not %d".formatted(what, most, value));
    }
    return value;
  }

  /** Returns the time limit of an attempt, after which it has failed; default 10 s. */
  public Duration deadline() {
    return deadline;
  }

  /**
   * Sets {@link #deadline()}. It counts from the beginning of the handler; as long as no handler
   * has begun, from the time at which the message was given to the guarded actor.
   *
   * @param limit positive, and {@link Time#LONGEST} at most
   */
  @CanIgnoreReturnValue
  public GuardOptions<M> deadline(Duration limit) {
    Objects.requireNonNull(limit, "deadline is null: give a duration");
    if (limit.isZero() || limit.isNegative() || limit.compareTo(Time.LONGEST) > 0) {
      throw new IllegalArgumentException(
          "deadline must be positive and at most %d days, not %s"
              .formatted(Time.LONGEST.toDays(), limit));
    }
    deadline = limit;
    return this;
  }

  /** Returns the options of the guarded actor, default {@link #guarded()}. */
  public ActorOptions actor() {
    return new ActorOptions(actor);
  }

  /**
   * Sets {@link #actor()}. A guarded actor that its supervisor gives up gets no messages until it
   * is resumed.
   */
  @CanIgnoreReturnValue
  public GuardOptions<M> actor(ActorOptions options) {
    actor =
        new ActorOptions(
            Objects.requireNonNull(
                options, "actor is null: give GuardOptions.guarded() for the defaults"));
    return this;
  }

  /**
   * Sets a fallback that answers messages which come while the circuit is not closed, instead of
   * holding them. A message that was tried and failed stays with the guard, because its effects are
   * unknown.
   *
   * @param answer of a message; null if there is none. It runs in the guard, so it must not block;
   *     if it throws, the message is given up
   */
  @CanIgnoreReturnValue
  public GuardOptions<M> fallback(Function<? super M, ?> answer) {
    Objects.requireNonNull(answer, "fallback is null: give a function that makes an answer");
    fallback =
        heldMessage -> {
          Object given = answer.apply(heldMessage.message());
          boolean unused = given == null ? heldMessage.done() : heldMessage.answer(given);
        };
    return this;
  }

  /** Sets an actor as the fallback: such messages are forwarded to it, and it answers. */
  @CanIgnoreReturnValue
  public GuardOptions<M> fallback(ActorRef<M> receiver) {
    Objects.requireNonNull(receiver, "fallback is null: give the ref of an actor");
    fallback =
        heldMessage -> {
          boolean unused = heldMessage.passTo(receiver);
        };
    return this;
  }

  /** Ends a message instead of the guarded actor; null if there is none. */
  @Nullable Consumer<HeldMessage<M>> fallback() {
    return fallback;
  }

  /**
   * Returns the settings of the circuit.
   *
   * @throws IllegalArgumentException if they do not fit together
   */
  Circuit.Settings settings() {
    int most = Math.min(limit, actor.mailboxLimit());
    if (underWay > most) {
      throw new IllegalArgumentException(
          "underWay must be at most %d, the %s, not %d"
              .formatted(
                  most, most == limit ? "limit" : "mailbox limit of the guarded actor", underWay));
    }
    return new Circuit.Settings(limit, underWay, attempts, deadline, fallback != null, openAfter);
  }
}
