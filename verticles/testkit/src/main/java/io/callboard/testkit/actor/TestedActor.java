package io.callboard.testkit.actor;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.DurableActor;
import io.callboard.Terminated;
import io.callboard.codecs.ActorPath;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Unit test of one actor: the actor runs in a node of its own, with a store in memory, and the test
 * stands for all other actors. Every call returns the actor's effects, once it has nothing more to
 * do.
 *
 * <pre>{@code
 * TestedActor<Command> account = TestedActor.of(Account::new).from(new Balance(100)).start();
 * Effects effects = account.tell(new Deposit(50));
 * assertThat(effects.list())
 *     .containsExactly(new Updated(new Balance(150)), new Answered(new Balance(150)));
 * }</pre>
 *
 * <p><b>What is checked all the time.</b> Messages, answers, states and events are written as JSON
 * and read back, so values that cannot be stored or sent fail here. And each message to a durable
 * actor is handled twice: by the object that has handled all before it, and in a second node by a
 * new one that began with the stored state, as after a crash. If they do not do the same the call
 * fails, and says what differs. So a handler that looks at a clock, at random numbers, at fields or
 * statics that are no part of the state is found. A date, or another thing that seldom changes, is
 * not.
 *
 * <p>A call that belongs to no turn fails the test, also if the actor drops what it throws: from a
 * callback of a turn that has ended, or from another thread.
 *
 * <p>A handler that returns a future that is not complete keeps its turn open, and messages wait.
 * Asks are answered by the test, with {@link #answer}; after completing any other future call
 * {@link #goOn}. The time of the node stands still: see {@link #fire} and {@link #idle}.
 *
 * <p>A failed handler fails the call, unless it was called within {@link #failure}. Then its actor
 * goes on with a new object in the state before, and the message is gone: that of a durable actor
 * is parked.
 *
 * <p>To be used by one thread. The nodes of the actors that were used last stay open, in daemon
 * threads; what was used before those is closed.
 */
public final class TestedActor<M> {
  private final Setup<M> setup;
  private final TestedRun first;
  private final @Nullable TestedRun second;
  private boolean expecting;
  private @Nullable Throwable expected;
  private Effects started = new Effects(List.of());

  /** Setup of a test. Setters change and return this object. */
  public static final class Setup<M> {
    private final Supplier<? extends Actor<M>> factory;
    private ActorPath path = ActorPath.of("/tested");
    private @Nullable Object state;
    private boolean twice = true;
    private boolean byReference;
    private List<String> entries = List.of();

    private Setup(Supplier<? extends Actor<M>> factory) {
      this.factory = factory;
    }

    /** Sets the actor's path; default {@code /tested}. */
    @CanIgnoreReturnValue
    public Setup<M> path(String value) {
      path = ActorPath.of(value);
      return this;
    }

    /**
     * Sets the stored state of a durable actor; default none, so that it begins with its initial
     * state.
     */
    @CanIgnoreReturnValue
    public Setup<M> from(Object stored) {
      state = stored;
      return this;
    }

    /** Sets the stored journal entries of a persistent actor, without a snapshot. */
    @CanIgnoreReturnValue
    public Setup<M> entries(List<String> stored) {
      entries = List.copyOf(stored);
      return this;
    }

    /** Turns off the second object: messages of a durable actor are handled once. */
    @CanIgnoreReturnValue
    public Setup<M> once() {
      twice = false;
      return this;
    }

    /** Turns off the JSON round trip, for volatile actors whose messages never leave their node. */
    @CanIgnoreReturnValue
    public Setup<M> byReference() {
      byReference = true;
      return this;
    }

    /**
     * Creates the actor and starts it.
     *
     * @throws AssertionError if the start fails
     */
    public TestedActor<M> start() {
      TestedActor<M> actor = new TestedActor<>(this);
      actor.started = actor.settle();
      return actor;
    }

    private TestedRun run(@Nullable TestedRun first) {
      Actor<M> made = factory.get();
      StoredActorState stored = null;
      if (made instanceof DurableActor<?, ?> durable && state != null) {
        stored = StoredActorState.of(durable, state);
      } else if (!entries.isEmpty()) {
        stored = StoredActorState.of(entries);
      }
      return new TestedRun(path, made, factory, byReference, stored, state, first);
    }
  }

  private TestedActor(Setup<M> setup) {
    this.setup = setup;
    this.first = setup.run(null);
    this.second = setup.twice && first.isDurable() ? setup.run(first) : null;
  }

  /** Returns the setup of a test of the actor that {@code factory} creates. */
  public static <M> Setup<M> of(Supplier<? extends Actor<M>> factory) {
    return new Setup<>(factory);
  }

  /** Returns the effects of the actor's start. */
  public Effects started() {
    return started;
  }

  /**
   * Tells the actor a message.
   *
   * @throws CallboardException {@code BAD_MESSAGE} if it is null
   * @throws io.callboard.codecs.CodecException if the message cannot be written or read; for a
   *     durable actor also if no message of its class could be read back. A message that such an
   *     actor only tells itself in memory, for example with {@code pipeToSelf}, must come from the
   *     actor itself here, too
   */
  @CanIgnoreReturnValue
  public Effects tell(M message) {
    return tell(message, null);
  }

  /** Tells the actor a message whose answer goes to another actor. */
  @CanIgnoreReturnValue
  public Effects tell(M message, @Nullable ActorRef<?> replyTo) {
    return handled(message, null, replyTo);
  }

  /** Tells the actor a message of another protocol, for which it has an adapter. */
  @CanIgnoreReturnValue
  public Effects tellForeign(Object message) {
    return handled(message, message.getClass(), null);
  }

  private Effects handled(
      @Nullable Object message, @Nullable Class<?> as, @Nullable ActorRef<?> replyTo) {
    if (hasStopped()) {
      throw new IllegalStateException(setup.path + " has stopped");
    } else if (message != null && !setup.byReference) {
      Class<?> type = as == null ? first.protocol() : as;
      var unused =
          first.isDurable()
              ? RoundTrip.checkStored("a message", type, message)
              : RoundTrip.check("a message", type, message);
    }
    return both(run -> run.tell(message, as, replyTo));
  }

  /**
   * Performs an action of the test on both objects. The second one is new, unless the turn of the
   * first is open.
   */
  private Effects both(Consumer<TestedRun> act) {
    TestedRun other = second;
    if (other != null && !first.isBusy()) {
      other.restart();
      other.recording().forget();
      if (other.isStarting()) {
        throw new AssertionError(
            "a second object of %s does not start: it waits for something that the first did not wait for"
                .formatted(setup.path));
      }
    }
    first.node().use();
    act.accept(first);
    if (other != null) {
      other.node().use();
      SecondRun.later();
      act.accept(other);
      other.handleWhatOnly(first);
    }
    return settle();
  }

  /** Compares the effects of both objects and returns them. */
  private Effects settle() {
    first.node().rest();
    Recording did = first.recording();
    if (second != null) {
      second.node().rest();
      SecondRun.compare(setup.path.toString(), did.turns(), second.recording().turns());
      second.recording().forgetTurns();
    }
    did.forgetTurns();
    Throwable failure = did.takeFailure();
    IllegalStateException refused = did.takeRefused();
    if (failure != null) {
      first.resume();
      List<Effect> unused = did.takeDone();
      if (expecting && !(failure instanceof AssertionError)) {
        expected = failure;
        return new Effects(List.of());
      }
      throw failure instanceof AssertionError unfit
          ? unfit
          : new AssertionError("%s failed: %s".formatted(setup.path, failure), failure);
    } else if (refused != null && !expecting) {
      throw new AssertionError(String.valueOf(refused.getMessage()), refused);
    }
    return new Effects(did.takeDone());
  }

  /**
   * Continues after the completion of a future that the handler waits for, and returns the effects.
   */
  @CanIgnoreReturnValue
  public Effects goOn() {
    return settle();
  }

  /**
   * Returns the failure of the actor that {@code stimulus} causes.
   *
   * @throws AssertionError if it does not fail
   */
  @CanIgnoreReturnValue
  public Throwable failure(Runnable stimulus) {
    expecting = true;
    expected = null;
    try {
      stimulus.run();
    } finally {
      expecting = false;
    }
    Throwable cause = expected;
    if (cause == null) {
      throw new AssertionError("%s did not fail".formatted(setup.path));
    }
    return cause;
  }

  /** Answers the oldest open ask to the actor of that path. */
  @CanIgnoreReturnValue
  public Effects answer(String path, Object answer) {
    openAsk(path).succeed(answer, this::between);
    return settle();
  }

  /** Fails the oldest open ask to the actor of that path. */
  @CanIgnoreReturnValue
  public Effects fail(String path, Throwable cause) {
    openAsk(path).fail(cause, this::between);
    return settle();
  }

  /** Waits between the answers to the first and to the second object. */
  private void between() {
    first.node().rest();
    SecondRun.later();
  }

  private OpenAsk openAsk(String path) {
    List<OpenAsk> asks = first.recording().openAsks();
    return asks.stream()
        .filter(ask -> ask.to().equals(path))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "%s waits for no answer from %s, only for those from %s"
                        .formatted(setup.path, path, asks.stream().map(OpenAsk::to).toList())));
  }

  /**
   * Advances the time until the timer of that key is due; earlier tasks run before it. There is no
   * effect if it has fired already and its last message still waits or is stashed.
   */
  @CanIgnoreReturnValue
  public Effects fire(String key) {
    Duration until = first.recording().timers().until(key);
    if (until == null) {
      throw new IllegalStateException("%s has no running timer %s".formatted(setup.path, key));
    }
    return both(run -> run.leap(until));
  }

  /** Advances the time by the actor's receive timeout. */
  @CanIgnoreReturnValue
  public Effects idle() {
    Duration limit = first.recording().timers().idle();
    if (limit == null) {
      throw new IllegalStateException("%s has set no receive timeout".formatted(setup.path));
    }
    return both(run -> run.leap(limit));
  }

  /** Reports the end of the actor at {@code path}, which the tested actor watches. */
  @CanIgnoreReturnValue
  public Effects ended(String path, String cause) {
    Object message =
        first
            .recording()
            .takeWatch(path)
            .orElseThrow(
                () -> new IllegalStateException("%s does not watch %s".formatted(setup.path, path)))
            .apply(new Terminated(first.other(path), cause));
    return both(
        run -> {
          run.ended(path);
          run.tellSelf(message);
        });
  }

  /**
   * Returns the state of a durable actor after its last turn.
   *
   * @throws IllegalStateException if it has none: no turn has changed it yet
   */
  public <S> S state(Class<S> type) {
    Object state = first.recording().state();
    if (state == null) {
      throw new IllegalStateException(
          "%s has not stored a state yet: no turn has changed it".formatted(setup.path));
    }
    return type.cast(state);
  }

  /** Returns whether a turn, or the start, is waiting for a future. */
  public boolean isBusy() {
    return first.isBusy();
  }

  /** Returns whether the actor has stopped itself. */
  public boolean hasStopped() {
    return first.recording().isStopping() && !first.recording().isInTurn();
  }

  /** Returns the entries of the actor's journal, in their stored form. */
  public List<String> entries() {
    return first.node().entries().texts();
  }

  /** Returns the recovered state with which the current object began; null if there was none. */
  public @Nullable Object restored() {
    return first.recording().restored();
  }

  /**
   * Restarts the actor with a new object, as after a crash. An open turn is lost; a durable actor's
   * message is delivered again.
   */
  @CanIgnoreReturnValue
  public Effects restart() {
    first.crash();
    if (second != null) {
      second.restart();
      second.recording().forget();
    }
    return settle();
  }
}
