package io.callboard.workflows.internal.dispatch;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import io.callboard.time.Machine;
import io.callboard.workflows.internal.dispatch.HeldAttempt.Ending;
import io.callboard.workflows.internal.protocol.DeskCommand;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkerCommand;
import io.callboard.workflows.internal.protocol.WorkerId;
import io.callboard.workflows.internal.protocol.WorkerNews;
import io.callboard.workflows.internal.protocol.ZoneSlots;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides for a worker which runs begin and end, and what it reports. Orders of desks, ends of
 * attempts and the time in; {@link WorkerEffect}s and news for the desk out. O(log n) a message.
 *
 * <p>When its session may have ended it ends all runs and begins another life: orders that were
 * given to the one before, however late they come, are for nobody.
 */
@Machine
public class WorkerMachine extends WorkerRuns {
  /** Time that a handler has to end when it is cancelled, or over its timeout. */
  public static final Duration CANCEL_GRACE = Duration.ofSeconds(10);

  /** Interval of its reports to the desk when nothing changes. */
  static final Duration HELLO_EVERY = Duration.ofSeconds(5);

  /** Shortest time from one report to the next when only what runs wait for has changed. */
  static final Duration WAITS_EVERY = Duration.ofSeconds(1);

  /** Pause after which an instance that has not answered is asked again. */
  static final Duration ASK_AGAIN = Duration.ofSeconds(6);

  /** Maximum number of questions to an instance; without an answer its run is given back then. */
  static final int MOST_ASKS = 3;

  /** Maximum number of ended runs whose instances do not know it yet; at it no runs are taken. */
  static final int MOST_RESULTS = 10_000;

  private static final ExponentialBackoff REPORTS =
      Backoff.exponential(Duration.ofMillis(500), Duration.ofSeconds(16));

  private final IntSupplier lives;
  private WorkerId id;
  private boolean draining;
  private boolean fenced;
  private @Nullable Long sessionUntilNs;
  private long helloNs;
  private long seq;

  /**
   * Creates a worker that holds nothing.
   *
   * @param lives returns the number of the next life of this boot
   * @param epoch epoch that the life before knew, so that no desk is obeyed that had been replaced
   *     by then; 0 for none
   */
  public WorkerMachine(String node, String boot, IntSupplier lives, long epoch) {
    this.epoch = epoch;
    this.lives = lives;
    this.id = new WorkerId(node, boot, lives.getAsInt());
  }

  /** Returns the id of the present life of the worker; another life begins when it is fenced. */
  public WorkerId id() {
    return id;
  }

  /** Returns the epoch of the newest desk that is known; 0 for none. */
  public long epoch() {
    return epoch;
  }

  /** Returns the number of runs that are alive, or whose instances do not know their ends. */
  public int held() {
    return held.size();
  }

  /** Returns the effects of what was decided since the last call, in their order. */
  public List<WorkerEffect> effects() {
    List<WorkerEffect> taken = effects;
    effects = new ArrayList<>();
    return taken;
  }

  /** Returns whether there are news for the desk. */
  public boolean hasNews() {
    return helloDue || !news.isEmpty();
  }

  /** Returns the news for the desk since the last call; empty if there are none. */
  public Optional<DeskCommand.News> news() {
    if (helloDue) {
      helloDue = false;
      waitsChanged = false;
      helloNs = nowNs;
      String trouble = trouble();
      news.add(
          new WorkerNews.Hello(
              takes() ? lanes.own() : 0,
              lanes.types(),
              held.values().stream().map(HeldAttempt::view).toList(),
              draining,
              lanes.zones(takes(), trouble),
              trouble == null ? lanes.trouble() : trouble));
    }
    if (news.isEmpty()) {
      return Optional.empty();
    }
    List<WorkerNews> taken = news;
    news = new ArrayList<>();
    return Optional.of(new DeskCommand.News(epoch, id, ++seq, taken));
  }

  /**
   * Sets what the worker offers.
   *
   * @param offered all that it runs, in whichever zone
   * @param atOnce number of runs that it takes at once, beside those in zones of handlers
   * @param zones what it offers in zones of handlers
   */
  public void offer(Set<String> offered, int atOnce, boolean drain, List<ZoneSlots> zones) {
    helloDue |= lanes.offer(offered, atOnce, zones) || draining != drain;
    draining = drain;
  }

  private boolean takes() {
    return !draining && trouble() == null;
  }

  /** Returns why it takes no runs in any zone; null if it is drained only, or takes some. */
  private @Nullable String trouble() {
    if (fenced) {
      return "its node has lost contact with the cell";
    }
    return held.size() - alive < MOST_RESULTS
        ? null
        : "the instances of %,d ended steps do not know their ends yet".formatted(MOST_RESULTS);
  }

  /** Records that a desk of that epoch has started, or does not know this worker. */
  public void deskStarted(long of) {
    if (of >= epoch) {
      epoch = of;
      helloDue = true;
    }
  }

  /** Takes orders of a desk, unless another has taken over since. */
  public void orders(WorkerCommand.Orders orders, long now) {
    at(now);
    endWithSession();
    if (orders.areFor(id) && obeys(orders.epoch())) {
      if (orders.epoch() > epoch) {
        deskStarted(orders.epoch());
      }
      orders.orders().forEach(this::order);
    }
  }

  /** Returns whether a desk of that epoch may give orders: it must not have been replaced. */
  boolean obeys(long of) {
    return of >= epoch;
  }

  private void order(WorkerCommand.Order order) {
    if (order instanceof WorkerCommand.Assign assign) {
      assigned(assign);
    } else if (order instanceof WorkerCommand.Revoke revoke) {
      revoked(revoke.key(), revoke.number());
    } else if (order instanceof WorkerCommand.End end) {
      HeldAttempt run = held.get(end.key());
      if (run != null && run.isAlive()) {
        ending(run, Ending.CANCELLED);
      } else {
        revoked(end.key(), end.number());
      }
    }
  }

  private void assigned(WorkerCommand.Assign assign) {
    StepRunKey key = assign.request().key();
    HeldAttempt known = held.get(key);
    if (known != null) {
      if (known.epoch != epoch || assign.number() > known.number) { // else it comes late
        known.epoch = epoch;
        known.number = assign.number();
        move(known, assign.zone());
      }
      tellHeld(known);
      return;
    }
    Tombstones.Stone stone = tombstones.of(key);
    if (stone != null && forbids(stone, assign.number())) {
      tellStone(key, assign.number(), stone);
    } else if (!takes() || !lanes.takes(assign.zone(), assign.request().type())) {
      refuse(key, assign.number());
      helloDue = true;
    } else {
      begin(assign);
    }
  }

  /** Returns whether a tombstone forbids an assignment by the present desk. */
  boolean forbids(Tombstones.Stone stone, long number) {
    return stone.forbids(epoch, number);
  }

  /** Records that an attempt is over; only the first outcome counts. */
  public void over(StepRunKey key, StepOutcome outcome, long now) {
    at(now);
    HeldAttempt run = held.get(key);
    if (run != null && run.isAlive()) {
      end(run, run.ended(outcome));
    }
  }

  /**
   * Records that an attempt could not begin, and never will: its run is given back, which is no
   * attempt of its step, and the zone is paused. A run that is to end has ended.
   *
   * @param zone zone of handlers that had no thread for it, whichever slot it takes; null for that
   *     of the steps
   * @param why why, for people
   */
  public void notBegun(StepRunKey key, @Nullable String zone, String why, long now) {
    at(now);
    HeldAttempt run = held.get(key);
    if (run == null || !run.isAlive()) {
      return;
    }
    if (run.ending != null) {
      end(run, run.neverBegan(zone));
      return;
    }
    Duration rest = lanes.rest(zone, why, nowNs);
    if (rest != null) {
      effects.add(new WorkerEffect.Rest(zone, why, rest));
    }
    helloDue = true;
    giveBack(run, null);
  }

  /**
   * Records that the code of a run was called.
   *
   * @param zone zone of handlers that had a thread for it; null for that of the steps
   */
  public void begun(StepRunKey key, @Nullable String zone) {
    lanes.begun(zone);
    waits(key, null);
  }

  /**
   * Records whether the instance knows the end of a run for good; otherwise it is reported again.
   */
  public void reported(StepRunKey key, boolean durable, long now) {
    at(now);
    HeldAttempt run = held.get(key);
    if (run == null || run.isAlive()) {
      return;
    }
    if (durable) {
      helloDue |= held.size() - alive == MOST_RESULTS;
      notDue(run);
      held.remove(key);
      tombstones.put(key, Tombstones.Kind.SETTLED, epoch, run.number);
      news.add(new WorkerNews.Settled(key));
    } else {
      run.failedReports++;
      dueIn(run, REPORTS.longest(run.failedReports));
    }
  }

  /** Records a heartbeat of a handler that came at that time of day. */
  public void heartbeat(StepRunKey key, JsonNode state, Instant at) {
    HeldAttempt run = held.get(key);
    if (run != null && run.isAlive()) {
      run.beats(state, at);
    }
  }

  /**
   * Records until when the session of the node lives; a worker that was fenced takes runs again.
   */
  public void sessionLives(long untilNs, long now) {
    at(now);
    sessionUntilNs = untilNs;
    if (untilNs - nowNs > 0 && fenced) {
      fenced = false;
      helloDue = true;
    }
  }

  /** Ends all runs at once, because others may take the node for dead. */
  public void fence(long now) {
    at(now);
    sessionUntilNs = null;
    if (!fenced) {
      fenced = true;
      helloDue = true;
      id = new WorkerId(id.node(), id.boot(), lives.getAsInt());
      held.values().stream()
          .filter(HeldAttempt::isAlive)
          .toList()
          .forEach(run -> ending(run, Ending.FENCED));
    }
  }

  /** A node that was frozen may be given orders before it looks at its clock again. */
  private void endWithSession() {
    if (sessionUntilNs != null && sessionUntilNs - nowNs <= 0) {
      fence(nowNs);
    }
  }

  /** Does all work that is due; to be called several times a second. O(what is due). */
  public void tick(long now) {
    at(now);
    endWithSession();
    Duration pause = waitsChanged ? WAITS_EVERY : HELLO_EVERY;
    if (lanes.wake(nowNs) || nowNs - helloNs >= pause.toNanos()) {
      helloDue = true;
    }
    while (!due.isEmpty() && due.first().dueNs - nowNs <= 0) {
      HeldAttempt run = due.first();
      notDue(run);
      overdue(run);
    }
  }

  /** Records that the worker has stopped in order, with all its attempts. */
  public void bye(long now) {
    at(now);
    held.clear();
    due.clear();
    alive = 0;
    fenced = true;
    helloDue = false;
    news.add(new WorkerNews.Bye());
  }
}
