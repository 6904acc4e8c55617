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
 * How a {@link Guard} treats what it guards. Setters change and return this object; it is copied
 * when used.
 *
 * @param <M> the protocol of the guarded actor
 */
public final class GuardOptions<M> {
  /** Messages that one guard keeps, at most. */
  public static final int MOST = 1_000_000;

  /** Attempts of a message, at most. */
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

  public GuardOptions() {}

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
   * Options for a guarded actor, to be changed and given to {@link #actor(ActorOptions)}: it is not
   * on the event bus, and its supervisor restarts it within 50 ms, up to 10,000 times in 2 minutes,
   * for it is the guard that waits.
   */
  public static ActorOptions guarded() {
    Backoff soon = Backoff.exponential(Duration.ofMillis(5), Duration.ofMillis(50));
    return new ActorOptions()
        .onBus(false)
        .supervision(
            new SupervisionOptions().backoff(soon).intensity(10_000, Duration.ofMinutes(2)));
  }

  /** How long it waits after a failure, default {@link Backoff#DEFAULT}. */
  public Backoff backoff() {
    return backoff;
  }

  @CanIgnoreReturnValue
  public GuardOptions<M> backoff(Backoff value) {
    backoff = Objects.requireNonNull(value, "backoff is null: give Backoff.DEFAULT or another");
    return this;
  }

  /** Messages that it keeps, held or under way; default 1,000. */
  public int limit() {
    return limit;
  }

  /**
   * @param messages 1 to {@value #MOST}
   */
  @CanIgnoreReturnValue
  public GuardOptions<M> limit(int messages) {
    limit = inRange("limit", messages, MOST);
    return this;
  }

  /** Messages that the guarded actor is given at a time, default 16. */
  public int underWay() {
    return underWay;
  }

  /**
   * With 1, messages keep their order in all cases. With more, those that the guarded actor had
   * begun when one failed are not held back; only one that answers with {@code replyWhen} has begun
   * several.
   *
   * @param messages 1 to the limit, and to the mailbox limit of the guarded actor
   */
  @CanIgnoreReturnValue
  public GuardOptions<M> underWay(int messages) {
    underWay = inRange("underWay", messages, MOST);
    return this;
  }

  /**
   * Failed attempts after which a message is given up, default {@value
   * ActorOptions#DEFAULT_ATTEMPTS}. Only what the guarded actor has begun counts.
   */
  public int attempts() {
    return attempts;
  }

  /**
   * With few, a poisoned message holds up the others for a short time only; with many, the message
   * that is tried in an outage survives a long one: nobody can tell the two apart. It survives the
   * sum of so many backoffs.
   *
   * @param most 1 to {@value #MOST_ATTEMPTS}
   */
  @CanIgnoreReturnValue
  public GuardOptions<M> attempts(int most) {
    attempts = inRange("attempts", most, MOST_ATTEMPTS);
    return this;
  }

  /** Failures one after the other that open the circuit, default 1. */
  public int openAfter() {
    return openAfter;
  }

  /**
   * With more than one, a message that failed is tried again at once until so many attempts, of
   * whatever message, have failed without a success between them; each still counts as an attempt
   * of its message. Once open, the failure of a trial opens the circuit again.
   *
   * @param failures 1 to {@value #MOST_ATTEMPTS}
   */
  @CanIgnoreReturnValue
  public GuardOptions<M> openAfter(int failures) {
    openAfter = inRange("openAfter", failures, MOST_ATTEMPTS);
    return this;
  }

  /** Those that were added, in their order. */
  List<Consumer<? super GuardStateChange>> listeners() {
    return listeners;
  }

  /**
   * One more that each change of the circuit is reported to, once and in order: it opened, lets a
   * trial through, closed. An end of the guard is none.
   *
   * @param listener runs in the guard, after what else it does at that moment, so it must not
   *     block; what it throws is logged only
   * @throws IllegalArgumentException if there are {@value #MOST_LISTENERS}
   */
  @CanIgnoreReturnValue
  public GuardOptions<M> listener(Consumer<? super GuardStateChange> listener) {
    Objects.requireNonNull(listener, "listener is null: give what takes the change of a circuit");
    if (listeners.size() >= MOST_LISTENERS) {
      throw new IllegalArgumentException(
          "a guard has %d listeners at most: let one report to the others"
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

  /** An attempt that has no outcome by then has failed; default 10 s. */
  public Duration deadline() {
    return deadline;
  }

  /**
   * Counts from the beginning of the handler; while nothing is begun, from when the message was
   * given to the guarded actor.
   *
   * @param limit positive, and {@link Time#LONGEST} at most
   */
  @CanIgnoreReturnValue
  public GuardOptions<M> deadline(Duration limit) {
    Objects.requireNonNull(limit, "deadline is null: give a duration");
    if (limit.isZero() || limit.isNegative() || limit.compareTo(Time.LONGEST) > 0) {
      throw new IllegalArgumentException(
          "deadline must be positive and %d days at most, not %s"
              .formatted(Time.LONGEST.toDays(), limit));
    }
    deadline = limit;
    return this;
  }

  /** Of the guarded actor, default {@link #guarded()}. */
  public ActorOptions actor() {
    return new ActorOptions(actor);
  }

  /** A guarded actor that its supervisor gives up gets nothing until it is resumed. */
  @CanIgnoreReturnValue
  public GuardOptions<M> actor(ActorOptions options) {
    actor =
        new ActorOptions(
            Objects.requireNonNull(
                options, "actor is null: give GuardOptions.guarded() for the defaults"));
    return this;
  }

  /**
   * What comes while the circuit is not closed is answered by this, and not held. What was tried
   * and failed stays with the guard: nobody knows what became of it.
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

  /** The same, by an actor: messages are passed on to it, and it answers. */
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
