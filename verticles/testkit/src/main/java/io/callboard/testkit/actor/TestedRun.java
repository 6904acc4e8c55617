package io.callboard.testkit.actor;

import static io.callboard.testkit.Futures.await;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DurableActor;
import io.callboard.TellOptions;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.codecs.ActorPath;
import io.callboard.delivery.Redelivery;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Rules;
import io.callboard.supervision.SupervisionOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Tested actor in a node of its own: all its objects, one after the other. */
final class TestedRun {
  private final TestedNode node;
  private final Recording recording;
  private final boolean durable;
  private final Class<?> protocol;
  private final String path;

  /**
   * Creates the actor.
   *
   * @param made first object, which was not started
   * @param first run with which this one is compared; null for none
   */
  TestedRun(
      ActorPath path,
      Actor<?> made,
      Supplier<? extends Actor<?>> factory,
      boolean byReference,
      @Nullable StoredActorState stored,
      @Nullable Object state,
      @Nullable TestedRun first) {
    this.durable = made instanceof DurableActor;
    this.protocol = made.messageType();
    this.path = path.toString();
    this.node = new TestedNode(path, first != null, stored);
    Recording compared = first == null ? null : first.recording;
    this.recording = new Recording(node, byReference, stateType(made), state, compared);
    start(made, factory);
  }

  private static Class<?> stateType(Actor<?> made) {
    return made instanceof DurableActor<?, ?> actor ? actor.stateType() : Object.class;
  }

  private void start(Actor<?> made, Supplier<? extends Actor<?>> factory) {
    Actor<?>[] next = {made};
    Supplier<Actor<Object>> makes =
        () -> {
          Actor<?> object = next[0];
          next[0] = null;
          return cast(object == null ? factory.get() : object);
        };
    Rules seen =
        Rules.RESTART.when(
            cause -> {
              recording.failed(cause);
              return durable; // it begins anew at once
            },
            Directive.RESUME);
    Duration longest = TestedNode.FOR_EVER;
    ActorOptions options =
        new ActorOptions()
            .attempts(1)
            .onBus(false)
            .startTimeout(longest)
            .turnTimeout(longest)
            .passivateAfter(longest)
            .redelivery(new Redelivery(Backoff.exponential(longest, longest), 1))
            .intercept(recording)
            .supervision(
                new SupervisionOptions()
                    .rules(seen)
                    .intensity(Integer.MAX_VALUE, Duration.ofNanos(1)));
    var unused = node.callboard().spawn(path, makes, options);
    node.rest();
  }

  @SuppressWarnings("unchecked")
  private static <T> Actor<T> cast(@Nullable Actor<?> actor) {
    return (Actor<T>) Objects.requireNonNull(actor, "the factory made no actor");
  }

  Recording recording() {
    return recording;
  }

  TestedNode node() {
    return node;
  }

  Class<?> protocol() {
    return protocol;
  }

  /** Returns a ref to another actor. */
  ActorRef<?> other(String other) {
    return recording.ref(node.callboard().ref(other, Object.class));
  }

  /**
   * Handles the messages that only the first object has handled: those of timers and watches that
   * were in the memory of the first alone.
   */
  void handleWhatOnly(TestedRun first) {
    List<RecordedTurn> its = first.recording.turns();
    int mine = recording.turns().size();
    for (int i = mine; i < its.size() && !isBusy(); i++) {
      tellSelf(its.get(i).message());
    }
  }

  boolean isDurable() {
    return durable;
  }

  /**
   * Tells the actor a message.
   *
   * @param as protocol of the message; null for the actor's own
   */
  @SuppressWarnings("NullAway") // the node refuses a null
  void tell(@Nullable Object message, @Nullable Class<?> as, @Nullable ActorRef<?> replyTo) {
    Class<?> type = as == null ? protocol : as;
    TellOptions options =
        replyTo == null ? TellOptions.NONE : TellOptions.replyTo(RecordedRef.real(replyTo));
    Future<Void> sent = ref(type).tell(message, options);
    node.rest();
    if (sent.failed()) {
      if (sent.cause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError(path + " refuses a message", sent.cause());
    }
  }

  @SuppressWarnings("unchecked")
  private ActorRef<Object> ref(Class<?> type) {
    Class<Object> any = (Class<Object>) type;
    return durable ? node.callboard().durableRef(path, any) : node.callboard().ref(path, any);
  }

  /** Tells the actor a message from itself, in memory. */
  void tellSelf(Object message) {
    recording.onContext(context -> context.tellSelf(message));
    node.rest();
  }

  /** Reports the end of a child, if the node had one. */
  void ended(String child) {
    await(node.callboard().stop(child));
  }

  void leap(Duration by) {
    node.time().leap(by);
  }

  /** Makes the object crash, and continues with a new one. */
  void crash() {
    recording.onContext(
        context -> {
          throw new Crash(path);
        });
    node.rest();
    resume();
  }

  /** Marker of a failure that the test caused. */
  static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1;

    Crash(String path) {
      super("the test restarts " + path, null, false, false);
    }
  }

  /** Continues with a new object. */
  void restart() {
    await(node.callboard().admin().restart(path));
    node.rest();
  }

  /** Resumes the failed actor without a wait. */
  void resume() {
    var unused = node.callboard().admin().resume(path); // the actor does not exist if it has ended
    node.rest();
  }

  /** Returns whether its start waits for something. */
  boolean isStarting() {
    return await(node.callboard().admin().running()).stream()
        .filter(actor -> actor.path().equals(path))
        .map(ActorStatus::state)
        .anyMatch(State.STARTING::equals);
  }

  boolean isBusy() {
    return recording.isInTurn() || isStarting();
  }
}
