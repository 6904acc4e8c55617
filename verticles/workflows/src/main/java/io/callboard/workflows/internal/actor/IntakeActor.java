package io.callboard.workflows.internal.actor;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.codecs.internal.text.Digest;
import io.callboard.jobs.internal.call.ThreadWait;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.Failure;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.time.Time;
import io.callboard.workflows.internal.intake.IntakeEffect;
import io.callboard.workflows.internal.intake.IntakeMachine;
import io.callboard.workflows.internal.intake.StartGate;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.internal.starts.IntakeAnswer;
import io.callboard.workflows.internal.starts.IntakeCommand;
import io.callboard.workflows.internal.starts.IntakeData;
import io.callboard.workflows.internal.starts.IntakeEvent;
import io.callboard.workflows.internal.starts.IntakeStart;
import io.callboard.workflows.internal.starts.MessageBuilders;
import io.callboard.workflows.model.InstanceEnded;
import io.callboard.workflows.model.MessageReceipt;
import io.callboard.workflows.model.WorkflowException;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Durable actor of one message, found by the id of the message: so a message is accepted and
 * settled once, whoever repeats it. {@link IntakeMachine} decides, this actor carries it out.
 */
public final class IntakeActor extends PersistentActor<IntakeCommand, IntakeEvent, IntakeData> {
  /** Path prefix of the actors of messages. */
  public static final String PREFIX = "/workflows/m";

  private static final String DUE = "due";
  private static final Duration REFUSED = Duration.ofSeconds(2);

  /** Begins what is said when the zone of builders is full, or has had no thread for a while. */
  private static final String NOT_ASKED = "its builder could not be asked now: ";

  /** Time in which a builder gets a thread for its code; it is asked later if there is none. */
  private static final Duration BUILD_START = Duration.ofSeconds(10);

  /** Time for which a builder that blocks may delay the end of this actor, as when it moves. */
  private static final Duration BUILD_STOP = Duration.ofSeconds(1);

  private final MessageBuilders builders;
  private final StartGate gate;
  private final String zone;
  private @Nullable ThreadWait call;
  private long asked;
  private @Nullable IntakeMachine machine;
  private long children;

  /**
   * Creates the actor of a message.
   *
   * @param zone scheduling zone of builders that have none of their own
   */
  public IntakeActor(MessageBuilders builders, StartGate gate, String zone) {
    this.builders = builders;
    this.gate = gate;
    this.zone = zone;
  }

  /** Returns the path for a message id of any length and content. */
  public static String path(String id) {
    return PREFIX + "/" + Digest.whole(id);
  }

  @Override
  protected IntakeData initial() {
    return IntakeData.EMPTY;
  }

  @Override
  protected IntakeData apply(IntakeData data, IntakeEvent event) {
    return data.after(event);
  }

  /**
   * Refuses to restore an earlier state: the builder, the instance and the sender remember what the
   * actor did since.
   */
  @Override
  protected IntakeData restored(IntakeData data, long event, long last) {
    throw new CallboardException(
        CallboardException.Code.CONFLICT,
        "%s is not restored: a message is settled once, and may have been since event %d; send it again with another id"
            .formatted(path(), event));
  }

  /**
   * Returns whether a snapshot is due: a message that is only kept can be read without its events.
   */
  @Override
  protected boolean snapshotWhen(IntakeData data, IntakeEvent event) {
    return data.stage() == IntakeData.Stage.DONE;
  }

  @Override
  protected void protocol(Protocol<IntakeCommand> on) {
    on.message(IntakeCommand.Take.class, this::take)
        .query(IntakeCommand.Look.class, look -> answer(look.digest()))
        .message(IntakeCommand.Answered.class, e -> turn(its -> its.answered(e, now())))
        .message(IntakeCommand.Ended.class, e -> turn(its -> its.ended(e.ended(), now())))
        .message(IntakeCommand.Due.class, due -> turn(its -> its.due(now())))
        .adapt(InstanceEnded.class, IntakeCommand.Ended::new);
  }

  /** Repeats, in a turn, the questions that were open in the last life. */
  @Override
  protected Future<?> started() {
    if (state().isOpen()) {
      gate.messageOpened(path().name());
      startTimer("resume", Duration.ZERO, new IntakeCommand.Due());
    }
    return Future.succeededFuture();
  }

  @Override
  protected Future<?> stopped() {
    if (call != null) {
      boolean unused = call.givesBack(); // another life asks
    }
    gate.messageClosed(path().name());
    return Future.succeededFuture();
  }

  private Instant now() {
    return time().clock().instant();
  }

  /** Returns the machine of the state; a new one if a turn failed after it had moved. */
  private IntakeMachine machine() {
    if (machine == null || machine.data() != state()) {
      machine = new IntakeMachine(state(), random());
    }
    return machine;
  }

  private void take(IntakeCommand.Take take) {
    if (state().stage() == IntakeData.Stage.NONE && !gate.takesMessages()) {
      reply(
          new IntakeAnswer.Refused(
              "%,d messages are under way in the cell, which is the limit"
                  .formatted(StartGate.MOST_MESSAGES),
              REFUSED));
      return;
    }
    turn(its -> its.take(take, now()));
    reply(answer(take.digest()));
  }

  private IntakeAnswer answer(@Nullable String digest) {
    if (state().isAnother(digest)) {
      return new IntakeAnswer.Another(Objects.requireNonNullElse(state().acceptedAt(), now()));
    }
    return state().stage() == IntakeData.Stage.NONE
        ? new IntakeAnswer.Missing()
        : new IntakeAnswer.Is(state().view());
  }

  private void turn(Consumer<IntakeMachine> decide) {
    IntakeMachine its = machine();
    decide.accept(its);
    List<IntakeEvent> events = its.events();
    persistAll(events);
    its.follow(state());
    its.effects().forEach(this::carryOut);
    if (!events.isEmpty()) {
      String key = path().name();
      boolean open = state().isOpen();
      afterCommit(
          () -> {
            if (open) {
              gate.messageOpened(key);
            } else {
              gate.messageClosed(key);
            }
          });
    }
  }

  private void carryOut(IntakeEffect effect) {
    if (effect instanceof IntakeEffect.Ask ask) {
      MessageBuilders.Question question = question(ask);
      afterCommit(() -> ask(ask.ask(), question));
    } else if (effect instanceof IntakeEffect.Start start) {
      start(start.instance(), start.start());
    } else if (effect instanceof IntakeEffect.Settle settle) {
      tell(callboard().durableRef(settle.path(), MessageReceipt.class), settle.receipt());
    } else if (effect instanceof IntakeEffect.Remind remind) {
      Duration delay = Duration.between(now(), remind.dueAt());
      startDurableTimer(DUE, delay.isNegative() ? Duration.ZERO : delay, new IntakeCommand.Due());
    } else if (effect instanceof IntakeEffect.Rest) {
      cancelDurableTimer(DUE);
    } else if (effect instanceof IntakeEffect.Forget) {
      deleteSelf();
    }
  }

  private MessageBuilders.Question question(IntakeEffect.Ask ask) {
    return new MessageBuilders.Question(
        Objects.requireNonNull(state().builder(), "the message has no builder"),
        Objects.requireNonNull(state().id(), "the message has no id"),
        Objects.requireNonNull(state().message(), "the message has gone"),
        state().attempts() + 1,
        ask.next() == null ? null : state().instance(),
        ask.next(),
        state().links());
  }

  /**
   * Asks a builder. While the builder's code has not returned, this life does not ask the same
   * question again: it would only take another thread of the zone.
   */
  private void ask(long number, MessageBuilders.Question question) {
    if (call != null && asked == number && !call.isOver()) {
      return;
    }
    String ofBuilder = builders.zone(question.builder());
    String in = ofBuilder == null ? zone : ofBuilder;
    ThreadWait its = new ThreadWait(in, BUILD_START);
    call = its;
    asked = number;
    ActorRef<IntakeCommand> self = self();
    String name = "build-" + ++children;
    String path = path() + "/" + name;
    Consumer<String> notAsked =
        why -> {
          if (its.givesBack()) {
            send(self, new IntakeCommand.Answered(number, null, NOT_ASKED + why, false, true));
            stop(path);
          }
        };
    if (builders.isFull(in)) { // starts wait beside its queue, which has a limit
      notAsked.accept(its.full());
      return;
    }
    Time.Alarm limit = limit(() -> notAsked.accept(its.tooLong()));
    Consumer<AsyncResult<@Nullable IntakeStart>> answered =
        result -> {
          limit.cancel();
          send(self, answered(number, result));
          stop(path);
        };
    spawnChild(name, () -> new BuildActor(builders, question, its, answered), build(in))
        .compose(child -> child.tell(new BuildActor.Begin()))
        .onFailure(cause -> notAsked.accept(text(cause)));
  }

  /** Limits the wait for a thread: for the start of the builder's actor and for its message. */
  private Time.Alarm limit(Runnable notAsked) {
    return time().after(callboard().vertx().getOrCreateContext(), BUILD_START, notAsked);
  }

  private static String text(Throwable cause) {
    String message = cause.getMessage();
    return "%.300s".formatted(message == null ? Failure.text(cause) : message);
  }

  private static ActorOptions build(String zone) {
    return new ActorOptions()
        .zone(zone)
        .onBus(false)
        .startTimeout(BUILD_START.multipliedBy(2)) // what limits it is given back before
        .stopTimeout(BUILD_STOP)
        .supervision(new SupervisionOptions().kind(ChildKind.TEMPORARY));
  }

  private void stop(String path) {
    callboard().stop(path).onFailure(cause -> {}); // it has ended already
  }

  /** An answer that is lost is asked for again when the timer is due. */
  private static void send(ActorRef<IntakeCommand> self, IntakeCommand answer) {
    self.tell(answer).onFailure(cause -> {});
  }

  private static IntakeCommand answered(long number, AsyncResult<@Nullable IntakeStart> result) {
    if (result.succeeded()) {
      return new IntakeCommand.Answered(number, result.result(), null, false, false);
    }
    if (!(result.cause() instanceof WorkflowException e)) {
      return new IntakeCommand.Answered(number, null, Failure.text(result.cause()), false, false);
    }
    WorkflowException.Code code = e.code();
    return new IntakeCommand.Answered(
        number,
        null,
        String.valueOf(e.getMessage()),
        code == WorkflowException.Code.INVALID || code == WorkflowException.Code.NOT_FOUND,
        code == WorkflowException.Code.UNAVAILABLE || code == WorkflowException.Code.OVERLOADED);
  }

  private void start(String instance, IntakeStart start) {
    tell(
        callboard().durableRef(InstanceActor.path(instance), InstanceCommand.class),
        new InstanceCommand.Start(
            instance,
            start.definition(),
            start.version(),
            start.input(),
            start.priority(),
            start.labels(),
            null,
            null,
            now(),
            path().toString()));
  }
}
