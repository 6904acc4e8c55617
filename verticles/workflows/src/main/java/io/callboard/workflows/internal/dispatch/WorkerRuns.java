package io.callboard.workflows.internal.dispatch;

import io.callboard.time.Machine;
import io.callboard.workflows.internal.dispatch.HeldAttempt.Ending;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.WorkerCommand;
import io.callboard.workflows.internal.protocol.WorkerNews;
import io.callboard.workflows.internal.protocol.WorkerNews.Revocation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Runs of a worker, from their assignment to their end. The part of {@link WorkerMachine} that
 * moves them; what is obeyed and taken is decided there.
 */
@Machine
abstract class WorkerRuns {
  private static final String UNANSWERED = "its instance did not answer whether it is to run still";

  /** Runs that are alive, or whose instances do not know their ends. */
  final Map<StepRunKey, HeldAttempt> held = new LinkedHashMap<>();

  /** Attempts for which something is due. */
  final TreeSet<HeldAttempt> due = new TreeSet<>(HeldAttempt.BY_DUE);

  /** Runs that do not begin any more. */
  final Tombstones tombstones = new Tombstones();

  /** Slots that it offers, and those that are taken. */
  final WorkerLanes lanes = new WorkerLanes();

  /** Effects that were not taken yet. */
  List<WorkerEffect> effects = new ArrayList<>();

  /** News that were not taken yet. */
  List<WorkerNews> news = new ArrayList<>();

  /** Whether the desk is to be told of all that it offers and holds. */
  boolean helloDue = true;

  /** Whether what runs wait for has changed since it was. */
  boolean waitsChanged;

  /** Epoch of the newest desk that is known; 0 for none. */
  long epoch;

  /** Number of runs that are alive. */
  int alive;

  /** Time of the message at hand. */
  long nowNs;

  /**
   * Records the answer of an instance that was asked whether a run is open. One that is not was
   * settled elsewhere, and does not begin.
   */
  public void asked(StepRunKey key, boolean open, long now) {
    at(now);
    HeldAttempt run = held.get(key);
    if (run == null || !run.asks) {
      return;
    }
    run.asks = false;
    notDue(run);
    if (open) {
      waits(key, null);
      begin(run);
    } else {
      alive--;
      lanes.ends(run.zone);
      held.remove(key);
      tombstones.put(key, Tombstones.Kind.SETTLED, epoch, run.number);
      news.add(new WorkerNews.Settled(key));
    }
  }

  /**
   * Records what a run waits for although it has a slot; null for nothing. It is for people and
   * frees no slot, so the desk learns within {@link WorkerMachine#WAITS_EVERY} that it has changed.
   */
  public void waits(StepRunKey key, @Nullable String what) {
    HeldAttempt run = held.get(key);
    if (run != null && !Objects.equals(run.waits, what)) {
      run.waits = what;
      waitsChanged = true;
    }
  }

  /** Moves a run to the lane in which the desk counts it now. */
  void move(HeldAttempt run, @Nullable String zone) {
    if (run.isAlive()) {
      lanes.ends(run.zone);
      lanes.begins(zone);
    }
    run.zone = zone;
  }

  /** Takes a run, which begins, or whose instance is asked first. */
  void begin(WorkerCommand.Assign assign) {
    StepRequest request = assign.request();
    HeldAttempt run = new HeldAttempt(request, epoch, assign.number(), assign.zone());
    held.put(request.key(), run);
    alive++;
    lanes.begins(run.zone);
    if (asksFirst(request)) {
      run.asks = true;
      waits(request.key(), "its instance is asked whether it is to run still");
      ask(run);
    } else {
      begin(run);
    }
    tellHeld(run);
  }

  private void begin(HeldAttempt run) {
    StepRequest request = run.request;
    if (request.timeout() != null) {
      dueIn(run, request.timeout());
    }
    effects.add(new WorkerEffect.Begin(request, run.zone));
  }

  /** Returns whether the instance of a run is asked before it begins. */
  boolean asksFirst(StepRequest request) {
    return request.isRepeated();
  }

  private void ask(HeldAttempt run) {
    run.asked++;
    effects.add(new WorkerEffect.Ask(run.request.key()));
    dueIn(run, WorkerMachine.ASK_AGAIN);
  }

  /**
   * Gives a run back that has not begun and never will by this assignment.
   *
   * @param why why its instance does not let it begin; null for another reason
   */
  void giveBack(HeldAttempt run, @Nullable String why) {
    notDue(run);
    alive--;
    lanes.ends(run.zone);
    held.remove(run.request.key());
    // a later desk has not assigned it yet
    refuse(run.request.key(), run.epoch == epoch ? run.number : 0, why);
  }

  /** Gives a run back, if it has not begun. */
  void revoked(StepRunKey key, long number) {
    HeldAttempt run = held.get(key);
    Tombstones.Stone stone = tombstones.of(key);
    if (run != null) {
      tellHeld(run);
    } else if (stone != null && stone.kind() != Tombstones.Kind.NEVER_BEGAN) {
      tellStone(key, number, stone);
    } else {
      refuse(key, number);
    }
  }

  /** Gives an assignment back, which never begins. */
  void refuse(StepRunKey key, long number) {
    refuse(key, number, null);
  }

  private void refuse(StepRunKey key, long number, @Nullable String why) {
    tombstones.put(key, Tombstones.Kind.NEVER_BEGAN, epoch, number);
    news.add(new WorkerNews.Revoked(key, number, Revocation.NEVER_BEGAN, why));
  }

  /** Reports the state of a held run to the desk. */
  void tellHeld(HeldAttempt run) {
    StepRunKey key = run.request.key();
    if (!run.isAlive()) {
      news.add(new WorkerNews.Ended(key));
    } else if (run.ending != Ending.FENCED) { // a fenced one is lost when it is over
      news.add(new WorkerNews.Accepted(key, run.number));
    }
  }

  /** Reports to the desk why a run does not begin. */
  void tellStone(StepRunKey key, long number, Tombstones.Stone stone) {
    switch (stone.kind()) {
      case SETTLED -> news.add(new WorkerNews.Settled(key));
      case LOST -> news.add(new WorkerNews.Revoked(key, number, Revocation.LOST, null));
      case NEVER_BEGAN ->
          news.add(new WorkerNews.Revoked(key, number, Revocation.NEVER_BEGAN, null));
    }
  }

  /** Ends a run. */
  void end(HeldAttempt run, StepOutcome outcome) {
    StepRunKey key = run.request.key();
    notDue(run);
    alive--;
    lanes.ends(run.zone);
    if (run.ending == Ending.FENCED) {
      held.remove(key);
      tombstones.put(key, Tombstones.Kind.LOST, epoch, run.number);
      news.add(new WorkerNews.Revoked(key, run.number, Revocation.LOST, null));
      return;
    }
    run.outcome = outcome;
    if (held.size() - alive >= WorkerMachine.MOST_RESULTS) {
      helloDue = true;
    }
    news.add(new WorkerNews.Ended(key));
    effects.add(new WorkerEffect.Report(run.request, outcome));
  }

  /** Does what is due for a run. */
  void overdue(HeldAttempt run) {
    StepOutcome outcome = run.outcome;
    if (outcome != null) {
      effects.add(new WorkerEffect.Report(run.request, outcome));
    } else if (run.asks && run.asked < WorkerMachine.MOST_ASKS) {
      ask(run);
    } else if (run.asks) {
      effects.add(new WorkerEffect.Unanswered(run.request.key(), UNANSWERED));
      giveBack(run, UNANSWERED);
    } else if (run.ending == null) {
      ending(run, Ending.TIMEOUT);
    } else {
      stop(run);
    }
  }

  /** Asks a run to end. */
  void ending(HeldAttempt run, Ending why) {
    if (run.asks) { // it has not begun, and never will
      run.asks = false;
      run.ending = why;
      end(run, run.neverBegan(null));
      return;
    }
    if (run.ending == null) {
      effects.add(new WorkerEffect.Cancel(run.request.key()));
    }
    if (why == Ending.FENCED) {
      run.ending = why;
      stop(run);
    } else if (run.ending == null) {
      run.ending = why;
      dueIn(run, WorkerMachine.CANCEL_GRACE);
    }
  }

  private void stop(HeldAttempt run) {
    notDue(run);
    if (!run.stopped) {
      run.stopped = true;
      effects.add(new WorkerEffect.Stop(run.request.key()));
    }
  }

  /** Sets the time for the calls that follow. */
  void at(long now) {
    nowNs = now;
  }

  /** Records that something is due for a run after a while. */
  void dueIn(HeldAttempt run, Duration delay) {
    notDue(run);
    run.dueNs = nowNs + delay.toNanos();
    run.due = true;
    due.add(run);
  }

  /** Records that nothing is due for a run. */
  void notDue(HeldAttempt run) {
    if (run.due) {
      due.remove(run);
      run.due = false;
    }
  }
}
