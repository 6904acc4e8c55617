package io.callboard.jobs.internal.actor;

import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.jobs.internal.gate.BacklogIndex;
import io.callboard.jobs.internal.gate.BacklogState;
import io.callboard.jobs.internal.protocol.BacklogAnswer;
import io.callboard.jobs.internal.protocol.BacklogCommand;
import io.callboard.jobs.internal.protocol.BacklogEvent;
import io.callboard.jobs.internal.protocol.BacklogLane;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Durable actor with the waiting runs of one type beyond the window of the {@link Gate}, which
 * gives it runs and pulls them. A run is in one of the two at any time: it moves with a message.
 * Runs that are not due yet, and those with a queue timeout, are reckoned by the clock of this
 * actor's node. A durable timer keeps it in memory until then: nothing else might wake it. It is
 * not restored to an earlier event.
 */
public final class TypeBacklog extends PersistentActor<BacklogCommand, BacklogEvent, BacklogState> {
  /** Path prefix of the backlogs. */
  public static final String PREFIX = "/jobs/backlog";

  /** Key of the durable timer. */
  private static final String DUE = "due";

  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final int MOST_EXPIRED = 200;

  private BacklogState indexed = BacklogState.EMPTY;
  private BacklogIndex index = new BacklogIndex(indexed);

  /** Time for which the durable timer was set last; null if this object has not set it. */
  private @Nullable Instant awakeAt;

  /** Returns the path of the backlog of a type. */
  public static String path(String type) {
    return PREFIX + "/" + type;
  }

  @Override
  protected BacklogState initial() {
    return BacklogState.EMPTY;
  }

  @Override
  protected BacklogState apply(BacklogState state, BacklogEvent event) {
    return state.apply(event);
  }

  /**
   * Refuses to restore an earlier state: the gate remembers what it gave the backlog, and pulled
   * from it, since.
   */
  @Override
  protected BacklogState restored(BacklogState state, long event, long last) {
    throw new CallboardException(
        CallboardException.Code.CONFLICT,
        "%s is not restored: the gate and jobs remember the %,d events after event %d, so jobs would wait for ever; hold and release those that are to be queued anew, or refold it if its code was wrong"
            .formatted(path(), last - event, event));
  }

  @Override
  protected void protocol(Protocol<BacklogCommand> on) {
    on.message(BacklogCommand.Keep.class, this::keep)
        .message(BacklogCommand.Withdraw.class, this::withdraw)
        .message(BacklogCommand.Pull.class, this::pull)
        .message(
            BacklogCommand.Find.class,
            find ->
                reply(
                    new BacklogAnswer.Found(state().runs().get(find.job()), state().runs().size())))
        .message(BacklogCommand.Tick.class, tick -> tick());
  }

  @Override
  protected Future<?> started() {
    startTimer("tick", SHORTEST, new BacklogCommand.Tick());
    return Future.succeededFuture();
  }

  /** Returns the index of the state; it is built anew if it has not followed the last events. */
  private BacklogIndex index() {
    if (indexed != state()) {
      indexed = state();
      index = new BacklogIndex(indexed);
    }
    return index;
  }

  private void keep(BacklogCommand.Keep keep) {
    leave(keep.job());
    index().add(keep.job(), keep.waiting());
    persist(new BacklogEvent.Kept(keep.job(), keep.waiting()));
    indexed = state();
    wakeUp();
  }

  private void withdraw(BacklogCommand.Withdraw withdraw) {
    WaitingRun run = state().runs().get(withdraw.job());
    if (run != null && run.wasEnqueuedUpTo(withdraw.upTo())) {
      leave(withdraw.job());
    } else {
      tell(gate(), new GateCommand.NotKept(withdraw.job(), withdraw.upTo()));
    }
  }

  private void leave(String job) {
    if (state().runs().containsKey(job)) {
      leave(List.of(job));
    }
  }

  private void leave(List<String> jobs) {
    BacklogIndex its = index();
    jobs.forEach(job -> its.remove(job, state().runs().get(job)));
    persist(new BacklogEvent.Left(jobs));
    indexed = state();
  }

  private void pull(BacklogCommand.Pull pull) {
    boolean unused = index().becomeDue(state(), now());
    Map<String, WaitingRun> runs = index().first(state(), pull);
    if (!runs.isEmpty()) {
      leave(List.copyOf(runs.keySet()));
    }
    List<BacklogLane> left = index().left(pull);
    tell(
        gate(),
        new GateCommand.Returned(
            path().name(), runs, index().stock(state()), left.isEmpty() ? null : left));
  }

  private void tick() {
    awakeAt = null;
    boolean due = index().becomeDue(state(), now());
    List<String> expired = index().expired(now(), MOST_EXPIRED);
    for (String job : expired) {
      WaitingRun run = state().runs().get(job);
      if (run != null) {
        tell(
            callboard().durableRef(JobActor.path(job), JobCommand.class),
            new JobCommand.Expired(run.runId(), now()));
      }
    }
    if (!expired.isEmpty()) {
      leave(expired);
    }
    if (due || !expired.isEmpty()) {
      tell(gate(), new GateCommand.Stock(path().name(), index().stock(state())));
    }
    wakeUp();
  }

  /** Checks again when something is due, or has waited too long. */
  private void wakeUp() {
    Optional<Instant> next = index().next();
    if (next.isEmpty() || next.get().equals(awakeAt)) {
      return;
    }
    awakeAt = next.get();
    Duration wait = Duration.between(now(), next.get());
    Duration most = wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    startDurableTimer(
        DUE, most.compareTo(SHORTEST) < 0 ? SHORTEST : most, new BacklogCommand.Tick());
  }

  private Instant now() {
    return time().clock().instant();
  }

  private ActorRef<GateCommand> gate() {
    return callboard().durableRef(Gate.PATH, GateCommand.class);
  }
}
