package io.callboard.bench;

import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.RecoveryCompleted;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.Effect;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.apache.pekko.persistence.typed.javadsl.SignalHandler;

/**
 * Instance of {@link TenSteps} as a persistent actor of Pekko: asks for the steps that are ready
 * once the event is durable which made them so, again after a recovery, and stops at its end.
 */
final class PekkoInstance
    extends EventSourcedBehavior<PekkoInstance.Message, String, PekkoInstance.Settled> {
  private static final String STARTED = "started";
  private static final int NONE = -1;

  private final ActorContext<Message> context;
  private final ActorRef<PekkoWorkflows.Step> workers;
  private final Runnable ended;

  /** Message to an instance. */
  sealed interface Message {}

  /** Request to start. */
  record Start() implements Message {}

  /** Report that a step has ended. */
  record Done(int step) implements Message {}

  /**
   * State of an instance.
   *
   * @param started whether it has started
   * @param steps bits of the steps that have settled
   * @param last step that settled last
   */
  record Settled(boolean started, int steps, int last) {
    private static final int ALL = (1 << TenSteps.COUNT) - 1;

    boolean has(int step) {
      return (steps & 1 << step) != 0;
    }

    boolean isWhole() {
      return steps == ALL;
    }

    /** Returns whether a step has not settled, and all that it waits for has. */
    boolean isOpen(int step) {
      return !has(step) && TenSteps.sources(step).stream().allMatch(this::has);
    }

    Settled with(int step) {
      return new Settled(true, steps | 1 << step, step);
    }
  }

  private PekkoInstance(
      ActorContext<Message> context,
      String id,
      ActorRef<PekkoWorkflows.Step> workers,
      Runnable ended) {
    super(PersistenceId.of("workflow", id));
    this.context = context;
    this.workers = workers;
    this.ended = ended;
  }

  /**
   * Returns the behavior.
   *
   * @param ended called when the end is durable
   */
  static Behavior<Message> create(
      String id, ActorRef<PekkoWorkflows.Step> workers, Runnable ended) {
    return Behaviors.setup(context -> new PekkoInstance(context, id, workers, ended));
  }

  @Override
  public Settled emptyState() {
    return new Settled(false, 0, NONE);
  }

  @Override
  public CommandHandler<Message, String, Settled> commandHandler() {
    return newCommandHandlerBuilder()
        .forAnyState()
        .onCommand(Start.class, (state, start) -> start(state))
        .onCommand(Done.class, this::settle)
        .build();
  }

  private Effect<String, Settled> start(Settled state) {
    return state.started() ? Effect().none() : Effect().persist(STARTED).thenRun(this::askForOpen);
  }

  private Effect<String, Settled> settle(Settled state, Done done) {
    if (state.has(done.step())) {
      return Effect().none(); // it was asked for twice
    } else if (state.with(done.step()).isWhole()) {
      return Effect()
          .persist(TenSteps.id(done.step()))
          .thenRun((Settled now) -> ended.run())
          .thenStop();
    }
    return Effect()
        .persist(TenSteps.id(done.step()))
        .thenRun(now -> ask(now, TenSteps.targets(now.last())));
  }

  private void ask(Settled state, List<Integer> steps) {
    for (int step : steps) {
      if (state.isOpen(step)) {
        workers.tell(new PekkoWorkflows.Step(step, context.getSelf()));
      }
    }
  }

  private void askForOpen(Settled state) {
    for (int step = 0; step < TenSteps.COUNT; step++) {
      ask(state, List.of(step));
    }
  }

  @Override
  public EventHandler<Settled, String> eventHandler() {
    return (state, event) ->
        event.equals(STARTED) ? new Settled(true, 0, NONE) : state.with(TenSteps.number(event));
  }

  @Override
  public SignalHandler<Settled> signalHandler() {
    return newSignalHandlerBuilder()
        .onSignal(
            RecoveryCompleted.instance(),
            state -> {
              if (state.started()) {
                askForOpen(state);
              }
            })
        .build();
  }
}
