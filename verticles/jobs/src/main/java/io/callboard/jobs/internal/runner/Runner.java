package io.callboard.jobs.internal.runner;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Runner of the runs of one host, as its monitor uses it: one starts processes, one calls handlers,
 * a rehearsal plays them. {@code HostRunners} chooses by whether a run is a call; there are no
 * others. May be used from any thread; futures complete on the context of the caller.
 */
public interface Runner {
  /** Time that a run has to end by itself when it is killed. */
  Duration KILL_GRACE = Duration.ofSeconds(10);

  /**
   * Sets the listener that is called, on any thread, with each kill that left processes, or code
   * that has not returned. They are killed again until none is left, and only then their run ends.
   */
  void onFailedKill(Consumer<KillReport> listener);

  /**
   * Allows the runs of this host to go on until a time. Unless this is called again before, they
   * are then killed as by {@link #killAll}, even if this JVM is frozen (one to two seconds later),
   * and no more are started. Before the first call there is no limit.
   *
   * @param untilNanos time by the monotonic clock of this host
   * @return completes when runs may start until then; whether those of now had to end, as this
   *     comes after an earlier time had passed. Fails if the time could not be handed on to what
   *     ends them
   */
  Future<Boolean> mayRunUntil(long untilNanos);

  /**
   * Returns whether runs may start: the time of {@link #mayRunUntil} has not passed, or a later one
   * has reached all that would end the runs; and this is not closed.
   */
  boolean takesRuns();

  /** Returns whether this is closed; runs that end by that have no outcome. */
  boolean isClosed();

  /** Returns the term of this host, at first 0; grants of an earlier term are refused. */
  int term();

  /**
   * Keeps a run from starting here, if it has not been started.
   *
   * @return whether it is not here and so never will be
   */
  boolean refuse(RunKey key);

  /**
   * Starts a run. Fails with a {@link RunException} if nothing was started; except for kinds
   * ALREADY_STARTED, REFUSED, KILLED, ABANDONED and CLOSED the directory then holds the same
   * outcome.
   *
   * @param term term of its grant
   */
  Future<Run> start(RunRequest request, int term);

  /**
   * Tests what a run needs. Blocks.
   *
   * @throws RunException for which the host is to blame, if no run could begin
   */
  void probe();

  /** Returns the runs that were asked for and have no result yet. */
  Set<RunKey> live();

  /**
   * Returns the numbers of processes of runs, of those that are live. Blocks.
   *
   * @param keys the runs
   */
  Map<RunKey, Integer> count(Collection<RunKey> keys);

  /**
   * Kills a run: SIGTERM to its group, SIGKILL as soon as the command has ended or the grace has
   * passed; then looks, for at most three seconds, until no process of it is left, escaped children
   * included. The result of the run is delivered before this completes, unless the kill failed:
   * then it is repeated until nothing is left, and the result is delivered after that. A run that
   * was not started never will be.
   */
  Future<KillReport> kill(RunKey key, Duration grace, String reason);

  /**
   * Kills all runs at once, without grace, and those that wait for their start, for a reason of
   * this host. Their directories hold no outcome: they are lost. Runs granted before do not start
   * any more.
   */
  Future<List<KillReport>> killAll(String reason);

  /** Kills all runs and takes no more; completes when no process of them is left. */
  Future<List<KillReport>> close(String reason);
}
