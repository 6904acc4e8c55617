package io.callboard.workflows.internal.intake;

import io.callboard.grid.internal.key.DurableKey;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import io.callboard.time.Machine;
import io.callboard.workflows.internal.instance.InstanceIds;
import io.callboard.workflows.internal.starts.IntakeCommand;
import io.callboard.workflows.internal.starts.IntakeData;
import io.callboard.workflows.internal.starts.IntakeData.Stage;
import io.callboard.workflows.internal.starts.IntakeEvent;
import io.callboard.workflows.internal.starts.IntakeStart;
import io.callboard.workflows.model.InstanceEnded;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.MessageReceipt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of one message: asks its builder, starts its instance, settles it once, and
 * goes on with the next instance of its chain. Not thread-safe.
 */
@Machine
public class IntakeMachine {
  /** Number of attempts of a builder at one question. */
  public static final int ATTEMPTS = 5;

  /**
   * Number of times that a builder is asked the same question again though it has not failed, more
   * than a day.
   */
  public static final int MOST_SPARED = 2_000;

  /** Maximum number of instances in a chain. */
  public static final int MOST_LINKS = 1_000;

  /**
   * Time after which an open question is asked again: its answer may be lost. A builder has less.
   */
  public static final Duration PATIENCE = Duration.ofMinutes(1);

  /**
   * Interval at which a message whose instance still runs is looked at; its timer keeps it loaded.
   */
  private static final Duration LOOK = Duration.ofDays(1);

  /** Pauses between the attempts to ask a builder. */
  private static final ExponentialBackoff PAUSES =
      Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1));

  private static final int DEFAULT_PRIORITY = 5;

  /** Doublings of the first pause if the builder has not failed: then it begins with 4 to 8 s. */
  private static final int SPARED = 3;

  private final RandomGenerator random;
  private IntakeData data;
  private List<IntakeEvent> events = new ArrayList<>();
  private List<IntakeEffect> effects = new ArrayList<>();

  /** Creates the machine of a message in that state. */
  public IntakeMachine(IntakeData data, RandomGenerator random) {
    this.data = data;
    this.random = random;
  }

  /** Returns the state, with all emitted events. */
  public IntakeData data() {
    return data;
  }

  /** Returns the events that were emitted since the last call. */
  public List<IntakeEvent> events() {
    List<IntakeEvent> taken = events;
    events = new ArrayList<>();
    return taken;
  }

  /** Returns the effects since the last call. */
  public List<IntakeEffect> effects() {
    List<IntakeEffect> taken = effects;
    effects = new ArrayList<>();
    return taken;
  }

  /** Follows a state that equals its own. */
  public void follow(IntakeData same) {
    data = same;
  }

  private void emit(IntakeEvent event) {
    data = data.after(event);
    events.add(event);
  }

  private boolean isAsking() {
    return data.stage() == Stage.BUILD || data.stage() == Stage.NEXT;
  }

  private void ask(Instant now) {
    effects.add(new IntakeEffect.Ask(question(), data.stage() == Stage.NEXT ? data.last() : null));
    effects.add(new IntakeEffect.Remind(now.plus(PATIENCE)));
  }

  /** Takes the message, unless it was taken before. */
  public void take(IntakeCommand.Take take, Instant now) {
    if (isTaken()) {
      return;
    }
    emit(
        new IntakeEvent.Accepted(
            take.id(),
            take.definition(),
            take.builder(),
            take.message(),
            take.receipt(),
            now,
            take.digest()));
    if (take.definition() != null) {
      begin(
          new IntakeStart(
              take.definition(),
              take.version(),
              take.message(),
              DEFAULT_PRIORITY,
              Map.of(),
              Duration.ZERO),
          now);
    } else {
      ask(now);
    }
  }

  boolean isTaken() {
    return data.stage() != Stage.NONE;
  }

  /** Takes the answer of the builder; one that is not to the open question changes nothing. */
  public void answered(IntakeCommand.Answered answer, Instant now) {
    if (!isAsking() || !isOpen(answer.ask())) {
      return;
    }
    if (answer.error() != null) {
      failed(answer.error(), answer, now);
    } else if (answer.start() == null) {
      nothing(now);
    } else if (data.links() >= MOST_LINKS) {
      finish("%,d instances are in its chain, which is the limit".formatted(data.links()), now);
    } else {
      start(answer.start(), now);
    }
  }

  boolean isOpen(long ask) {
    return ask == question();
  }

  /** Returns the number of the present question, the same in each life: it is of the state. */
  private long question() {
    return ((long) data.links() << 32) + data.asked();
  }

  private void failed(String error, IntakeCommand.Answered answer, Instant now) {
    boolean isSpared = Boolean.TRUE.equals(answer.spared());
    if (isSpared && data.timesSpared() + 1 < MOST_SPARED) {
      askLater(error, true, now.plus(PAUSES.delay(1L + SPARED + data.asked(), random)));
      return;
    } else if (!isSpared && !answer.forGood() && data.attempts() + 1 < ATTEMPTS) {
      askLater(error, false, now.plus(PAUSES.delay(1L + data.attempts(), random)));
      return;
    }
    String why =
        isSpared
            ? "its builder could not be asked %,d times: %s".formatted(MOST_SPARED, error)
            : "its builder failed: %s".formatted(error);
    if (data.stage() == Stage.BUILD) {
      settle(MessageReceipt.State.FAILED, null, why, false, now);
    } else {
      finish(why, now);
    }
  }

  private void askLater(String error, boolean spared, Instant due) {
    emit(new IntakeEvent.BuildFailed(error, due, spared));
    effects.add(new IntakeEffect.Remind(due));
  }

  private void nothing(Instant now) {
    if (data.stage() == Stage.BUILD) {
      settle(MessageReceipt.State.EMPTY, null, null, false, now);
    } else {
      finish(null, now);
    }
  }

  private void start(IntakeStart start, Instant now) {
    if (start.delay().isZero() || start.delay().isNegative()) {
      begin(start, now);
    } else {
      Instant due = now.plus(start.delay());
      emit(new IntakeEvent.Delayed(start, due));
      effects.add(new IntakeEffect.Remind(due));
    }
  }

  private void begin(IntakeStart start, Instant now) {
    String id = InstanceIds.next(now, random);
    emit(new IntakeEvent.Started(id, now));
    effects.add(new IntakeEffect.Start(id, start));
    effects.add(new IntakeEffect.Remind(now.plus(LOOK)));
  }

  /** Takes the end of an instance; one that is not the present one changes nothing. */
  public void ended(InstanceEnded ended, Instant now) {
    if (data.stage() != Stage.RUN || !ended.instance().equals(data.instance())) {
      return;
    }
    boolean chains = data.builder() != null;
    if (!isSettled()) {
      settle(MessageReceipt.State.ENDED, ended.state(), ended.reason(), chains, now);
    } else {
      emit(new IntakeEvent.LinkEnded(ended.state(), now));
    }
    if (data.stage() == Stage.NEXT) {
      ask(now);
    }
  }

  boolean isSettled() {
    return data.settled() != null;
  }

  private void settle(
      MessageReceipt.State state,
      @Nullable InstanceState outcome,
      @Nullable String error,
      boolean chains,
      Instant now) {
    String path = data.receipt();
    emit(new IntakeEvent.Settled(state, outcome, error, chains, now));
    if (path != null) {
      effects.add(new IntakeEffect.Settle(path, data.view()));
    }
    if (data.stage() == Stage.DONE) {
      effects.add(new IntakeEffect.Rest());
    }
  }

  private void finish(@Nullable String error, Instant now) {
    emit(new IntakeEvent.Finished(error, now));
    effects.add(new IntakeEffect.Rest());
  }

  /** Does what is due, and goes on in a new life with what was open in the last one. */
  public void due(Instant now) {
    Instant due = data.dueAt();
    IntakeStart next = data.next();
    if (data.stage() == Stage.DONE) {
      if (DurableKey.isOver(data.finishedAt(), now)) {
        effects.add(new IntakeEffect.Forget());
      }
    } else if (data.stage() == Stage.RUN) {
      effects.add(new IntakeEffect.Remind(now.plus(LOOK)));
    } else if (due != null && due.isAfter(now)) {
      effects.add(new IntakeEffect.Remind(due));
    } else if (data.stage() == Stage.DELAY && next != null) {
      begin(next, now);
    } else if (isAsking()) {
      ask(now);
    }
  }
}
