package io.callboard.testkit;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.DurableActor;
import io.callboard.Terminated;
import io.callboard.codecs.ActorPath;
import io.callboard.testkit.TestedContext.Letter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the handlers of one actor on the test's thread: no Vert.x, no store, no waiting. Every call
 * returns what the actor did because of it.
 *
 * <pre>{@code
 * TestedActor<Command> account = TestedActor.of(Account::new).from(new Balance(100)).start();
 * Effects effects = account.tell(new Deposit(50));
 * assertThat(effects.list())
 *     .containsExactly(new Updated(new Balance(150)), new Answered(new Balance(150)));
 * }</pre>
 *
 * <p><b>What is checked all the time.</b> Messages, answers, states and events are written as JSON
 * and read, so what cannot be stored or travel fails here. And each message of a durable actor is
 * handled twice: by the object that has handled all before it, and by a new one that was given the
 * stored state, as after a crash. If they do not do the same the call fails, and says what differs.
 * So a handler that looks at a clock, at random numbers, at fields or statics that are no part of
 * the state is found. A date, or another thing that seldom changes, is not.
 *
 * <p>A call that belongs to no turn fails the test, also if the actor drops what it throws: from a
 * callback of a turn that is over, or from another thread.
 *
 * <p>A handler that returns a future that is not complete keeps its turn open, and messages wait,
 * as they do in a node. Asks are answered by the test, with {@link #answer}; after completing any
 * other future call {@link #goOn}. Timers do not run: see {@link #fire} and {@link #idle}.
 *
 * <p>A failed handler fails the call, unless it was called within {@link #failure}. Then its actor
 * goes on with a new object in the state before, as after a restart, and the message is gone.
 *
 * <p>To be used by one thread. The {@code vertx} and {@code context} of the verticle are null.
 */
public final class TestedActor<M> {
  private static final int MOST_TURNS = 10_000;

  private final Setup<M> setup;
  private final TestedStash stash = new TestedStash();
  private final TestedState state;
  private final Deque<Letter> mail = new ArrayDeque<>();
  private final List<Effect> done = new ArrayList<>();
  private final List<Effect> inTurn = new ArrayList<>();
  private TestedLife life;
  private @Nullable TestedLife second;
  private @Nullable Letter open;
  private boolean starting = true;
  private boolean stopped;
  private @Nullable Throwable failure;
  private boolean expecting;
  private Map<String, Effect.TimerStarted> durableTimers = Map.of();
  private TestedDeliveries deliveries = new TestedDeliveries();
  private Effects started = new Effects(List.of());

  /** How an actor is tested. Setters change and return this object. */
  public static final class Setup<M> {
    private final Supplier<? extends Actor<M>> factory;
    private ActorPath path = ActorPath.of("/tested");
    private @Nullable Object state;
    private boolean twice = true;
    private boolean byReference;

    private Setup(Supplier<? extends Actor<M>> factory) {
      this.factory = factory;
    }

    /** Where it lives; default {@code /tested}. */
    @CanIgnoreReturnValue
    public Setup<M> path(String value) {
      path = ActorPath.of(value);
      return this;
    }

    /**
     * The stored state of a durable actor; default none, so that it begins with its initial one.
     */
    @CanIgnoreReturnValue
    public Setup<M> from(Object stored) {
      state = stored;
      return this;
    }

    /** Messages of a durable actor are handled by one object only. */
    @CanIgnoreReturnValue
    public Setup<M> once() {
      twice = false;
      return this;
    }

    /** For messages of volatile actors that never leave their node, and need not be JSON. */
    @CanIgnoreReturnValue
    public Setup<M> byReference() {
      byReference = true;
      return this;
    }

    /**
     * Makes the object and starts it.
     *
     * @throws AssertionError if the start fails
     */
    public TestedActor<M> start() {
      TestedActor<M> actor = new TestedActor<>(this);
      actor.started = actor.goOn();
      return actor;
    }
  }

  private TestedActor(Setup<M> setup) {
    this.setup = setup;
    this.state = new TestedState(setup.state);
    this.life = begin(null);
  }

  /** An actor to be tested. */
  public static <M> Setup<M> of(Supplier<? extends Actor<M>> factory) {
    return new Setup<>(factory);
  }

  /** What it did when it started. */
  public Effects started() {
    return started;
  }

  /**
   * Gives it a message.
   *
   * @throws CallboardException {@code BAD_MESSAGE} if it is null
   * @throws io.callboard.codecs.CodecException if it cannot be written or read; or, for a durable
   *     actor, no message of its class could be read back. What such an actor only tells itself in
   *     memory, with {@code pipeToSelf} for example, comes from itself here too.
   */
  @CanIgnoreReturnValue
  public Effects tell(M message) {
    return tell(message, null);
  }

  /** Gives it a message whose answer another actor is told. */
  @CanIgnoreReturnValue
  public Effects tell(M message, @Nullable ActorRef<?> replyTo) {
    if (stopped) {
      throw new IllegalStateException(setup.path + " has stopped");
    }
    check(life.actor().messageType(), message);
    mail.add(new Letter(message, replyTo));
    return goOn();
  }

  /** Gives it a message of another protocol, for which it has an adapter. */
  @CanIgnoreReturnValue
  public Effects tellForeign(Object message) {
    check(null, message);
    mail.add(new Letter(message, null));
    return goOn();
  }

  /**
   * As a node does with what is told from outside.
   *
   * @param protocol of which it must be; null if that is not known here
   */
  private void check(@Nullable Class<?> protocol, @Nullable Object message) {
    if (message == null) {
      throw new CallboardException(
          CallboardException.Code.BAD_MESSAGE,
          "the message to %s is null: tell an object of its protocol".formatted(setup.path));
    } else if (!setup.byReference) {
      Class<?> type = protocol == null ? message.getClass() : protocol;
      var unused =
          life.actor() instanceof DurableActor
              ? RoundTrip.checkStored("a message", type, message)
              : RoundTrip.check("a message", type, message);
    }
  }

  /** The future or the ask that the handler waits for is complete: what follows from that. */
  @CanIgnoreReturnValue
  public Effects goOn() {
    life.context().turn().here();
    for (int turns = 0; failure == null && step(); turns++) {
      if (turns == MOST_TURNS) {
        throw new AssertionError("%s tells itself something without end".formatted(setup.path));
      }
    }
    collect();
    List<Effect> effects = List.copyOf(done);
    done.clear();
    IllegalStateException refused = life.context().turn().takeRefused();
    if (refused != null && !expecting) {
      failure = null;
      throw new AssertionError(String.valueOf(refused.getMessage()), refused);
    }
    if (failure != null && !expecting) {
      Throwable cause = failure;
      failure = null;
      throw new AssertionError("%s failed: %s".formatted(setup.path, cause), cause);
    }
    return new Effects(effects);
  }

  /**
   * What the actor fails with when the test does that.
   *
   * @throws AssertionError if it does not fail
   */
  @CanIgnoreReturnValue
  public Throwable failure(Runnable stimulus) {
    expecting = true;
    try {
      stimulus.run();
    } finally {
      expecting = false;
    }
    Throwable cause = failure;
    failure = null;
    if (cause == null) {
      throw new AssertionError("%s did not fail".formatted(setup.path));
    }
    Effects unused = goOn();
    return cause;
  }

  /** Answers the oldest open ask to the actor of that path. */
  @CanIgnoreReturnValue
  public Effects answer(String path, Object answer) {
    openAsk(path).succeed(answer);
    return goOn();
  }

  /** Fails the oldest open ask to the actor of that path. */
  @CanIgnoreReturnValue
  public Effects fail(String path, Throwable cause) {
    openAsk(path).fail(cause);
    return goOn();
  }

  private OpenAsk openAsk(String path) {
    return life.context().openAsks().stream()
        .filter(ask -> ask.to().equals(path))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "%s waits for no answer of %s, but for those of %s"
                        .formatted(
                            setup.path,
                            path,
                            life.context().openAsks().stream().map(OpenAsk::to).toList())));
  }

  /**
   * The time of the timer of that key has come. Nothing follows if its last message still waits, or
   * lies aside.
   */
  @CanIgnoreReturnValue
  public Effects fire(String key) {
    Effect.TimerStarted timer =
        life.context()
            .timer(key)
            .orElseThrow(
                () -> new IllegalStateException("%s runs no timer %s".formatted(setup.path, key)));
    if (!stash.holds(timer) && mail.stream().noneMatch(letter -> letter.isOf(timer))) {
      mail.add(life.context().fired(timer));
    }
    return goOn();
  }

  /** Nothing has happened for as long as the actor wanted to be told. */
  @CanIgnoreReturnValue
  public Effects idle() {
    Effect.IdleTimerStarted timer =
        life.context()
            .idle()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "%s does not want to be told when nothing happens".formatted(setup.path)));
    mail.add(new Letter(timer.message(), null));
    return goOn();
  }

  /** The actor of that path, which it watches, has ended. */
  @CanIgnoreReturnValue
  public Effects ended(String path, String cause) {
    TestedContext context = life.context();
    Object message =
        context
            .takeWatch(path)
            .orElseThrow(
                () -> new IllegalStateException("%s does not watch %s".formatted(setup.path, path)))
            .apply(
                new Terminated(
                    new TestedRef<>(ActorPath.of(path), false, () -> life.context()), cause));
    mail.add(new Letter(message, null));
    return goOn();
  }

  /**
   * The state of a durable actor as of its last turn.
   *
   * @throws IllegalStateException if it has none: no turn has changed it yet
   */
  public <S> S state(Class<S> type) {
    if (!state.isThere()) {
      throw new IllegalStateException(
          "%s has not stored a state yet: no turn has changed it".formatted(setup.path));
    }
    return type.cast(state.now());
  }

  /** Whether a turn, or the start, waits for a future. */
  public boolean isBusy() {
    return starting || open != null;
  }

  /** Whether it has stopped itself. */
  public boolean hasStopped() {
    return stopped;
  }

  /** The entries of its journal, as they are stored. */
  List<String> entries() {
    return state.entries();
  }

  /** Goes on with a new object, as after a crash; a turn that is open never was. */
  @CanIgnoreReturnValue
  public Effects restart() {
    collect();
    replace();
    return goOn();
  }

  private void replace() {
    stash.outlive(life.context());
    life.context().close();
    inTurn.clear();
    if (second != null) {
      second.context().close();
      second = null;
    }
    open = null;
    starting = true;
    life = begin(null);
  }

  @SuppressWarnings("unchecked")
  private TestedLife begin(@Nullable TestedContext first) {
    Actor<Object> actor = (Actor<Object>) setup.factory.get();
    boolean durable = actor instanceof DurableActor;
    TestedContext context =
        new TestedContext(
            setup.path,
            durable,
            setup.byReference,
            state.recovery(actor),
            stash,
            durableTimers,
            deliveries,
            first);
    TestedLife begun = new TestedLife(actor, context);
    begun.start();
    return begun;
  }

  /** Does the next thing; whether there was one. */
  private boolean step() {
    collect();
    if (!life.isDone()) {
      return false;
    } else if (starting) {
      starting = false;
      failure = life.failure();
      stopped = life.context().isStopping();
      return failure == null;
    } else if (open != null) {
      settle(open);
      return true;
    }
    Letter next = stash.poll();
    next = next == null ? mail.poll() : next;
    if (next == null || stopped) {
      return false;
    }
    boolean holds = life.context().redeem(next);
    durableTimers = Map.copyOf(life.context().durableTimers());
    if (holds) {
      handle(next);
    }
    return true;
  }

  private void handle(Letter letter) {
    open = letter;
    boolean again = setup.twice && life.actor() instanceof DurableActor;
    TestedLife other = again ? begin(life.context()) : null;
    if (other != null && !other.isDone()) {
      throw new AssertionError(
          "a second object of %s does not start: its start waits for what the first did not"
              .formatted(setup.path));
    }
    life.handle(letter);
    if (other != null) {
      SecondRun.later();
      List<Effect> unused = other.context().take();
      other.handle(letter);
    }
    second = other;
  }

  private void settle(Letter letter) {
    TestedLife other = second;
    if (other != null && !other.isDone()) {
      throw new AssertionError(
          ("the turn of %s for %s is over, but not the second one that it is compared with: it"
                  + " waits for a future of its own. Complete that too, or use Setup.once()")
              .formatted(setup.path, letter.message()));
    }
    List<Effect> effects = List.copyOf(inTurn);
    inTurn.clear();
    second = null;
    open = null;
    failure = life.failure() == null ? misuse(effects) : life.failure();
    if (other != null) {
      other.context().close();
      SecondRun.compare(
          letter.message(), effects, life.failure(), other.context().take(), other.failure());
    }
    if (failure != null) {
      stash.forget(letter);
      done.clear();
      replace();
    } else {
      commit(effects);
    }
  }

  /** What a durable actor may not do in one turn; null if it did not. */
  private @Nullable Throwable misuse(List<Effect> effects) {
    boolean aside = effects.stream().anyMatch(Effect.Stashed.class::isInstance);
    return aside && effects.size() > 1 && life.actor() instanceof DurableActor
        ? new IllegalStateException(
            "%s put a message aside and did something too, which would be done twice: %s"
                .formatted(setup.path, effects))
        : null;
  }

  private void commit(List<Effect> effects) {
    life.context().end();
    stopped = life.context().isStopping();
    Actor<Object> actor = life.actor();
    if (actor instanceof DurableActor<?, ?> durable) {
      state.commit(durable, effects);
      durableTimers = Map.copyOf(life.context().durableTimers());
      deliveries = life.context().deliveries().copy();
      life.context().takeAfterCommit().forEach(Runnable::run);
      if (effects.contains(new Effect.Deleted())) {
        replace();
      }
    }
  }

  /** Takes over what the object did. */
  private void collect() {
    List<Effect> effects = life.context().take();
    done.addAll(effects);
    if (open != null) {
      inTurn.addAll(effects);
    }
    life.context().takeToSelf().forEach(message -> mail.add(new Letter(message, null)));
  }
}
