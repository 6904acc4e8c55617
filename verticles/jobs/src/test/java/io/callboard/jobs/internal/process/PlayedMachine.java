package io.callboard.jobs.internal.process;

import io.callboard.jobs.internal.files.ExitRecord;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.testkit.internal.world.WorldNode;
import io.callboard.testkit.internal.world.WorldTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiFunction;

/**
 * Machine of a world: the processes of runs and their files, which outlive the node that started
 * them. A process runs as its plan says, whatever becomes of its node, until its shim ends it.
 */
public final class PlayedMachine {
  private final WorldTime time;
  private final SplittableRandom random;
  private final RunHistory history;
  private final BiFunction<String, RunKey, Plan> plans;
  private final Map<RunKey, Files> files = new LinkedHashMap<>();
  private boolean full;
  private boolean unreadable;
  private boolean hangs;

  /**
   * What a process does.
   *
   * @param lastsNs time that it takes; a negative one means for ever
   * @param exitCode its exit code
   * @param stallsAfterNs time after which it makes no progress
   * @param heedsTerm whether SIGTERM ends it
   * @param stuckForNs time for which SIGKILL does not end it
   */
  public record Plan(
      long lastsNs, int exitCode, long stallsAfterNs, boolean heedsTerm, long stuckForNs) {}

  /** Files and process of one run. */
  final class Files {
    final RunKey key;
    final String boot;
    final Plan plan;
    final long beganNs = time.now();
    boolean alive;
    boolean acknowledged;
    Optional<ExitRecord> exit = Optional.empty();
    Runnable onExit = () -> {};

    Files(RunKey key, WorldNode node) {
      this.key = key;
      this.boot = node.bootId();
      this.plan = plans.apply(node.node(), key);
    }

    private void begin(String host) {
      alive = true;
      history.begins(key, host);
      if (plan.lastsNs() >= 0) {
        time.after(plan.lastsNs(), this::exit);
      }
    }

    private void exit() {
      if (alive) {
        alive = false;
        exit = Optional.of(new ExitRecord(plan.exitCode(), Optional.empty(), Instant.EPOCH));
        history.ends(key, plan.exitCode());
        onExit.run();
      }
    }

    /** Ends the process; its shim writes no outcome. */
    void kill() {
      if (alive) {
        alive = false;
        history.ends(key, null);
        onExit.run();
      }
    }
  }

  /** Creates a machine. */
  public PlayedMachine(
      WorldTime time,
      SplittableRandom random,
      RunHistory history,
      BiFunction<String, RunKey, Plan> plans) {
    this.time = time;
    this.random = random;
    this.history = history;
    this.plans = plans;
  }

  WorldTime time() {
    return time;
  }

  SplittableRandom random() {
    return random;
  }

  /** Fills its disk, or makes room. */
  public void full(boolean now) {
    full = now;
  }

  boolean isFull() {
    return full;
  }

  /** Lets starts hang on its disk, or go on. */
  public void hangs(boolean now) {
    hangs = now;
  }

  boolean isHanging() {
    return hangs;
  }

  /** Makes the files of the live runs unreadable, or readable again. */
  public void unreadable(boolean now) {
    unreadable = now;
  }

  boolean isUnreadable() {
    return unreadable;
  }

  /** Returns the files of a run; null if there are none. */
  Files files(RunKey key) {
    return files.get(key);
  }

  /** Creates the files of a run and starts its process. */
  Files begin(RunKey key, WorldNode node) {
    Files made = new Files(key, node);
    files.put(key, made);
    made.begin(node.node());
    return made;
  }

  /** Ends the processes of a boot, whose shims see its end within moments. */
  public void dies(String boot) {
    for (Files each : all()) {
      if (each.boot.equals(boot) && each.alive) {
        time.after(random.nextLong(WorldTime.SECOND), each::kill);
      }
    }
  }

  /** Kills what other boots have left. */
  public OrphanSweep.Report sweep(String boot) {
    List<OrphanProcess> killed = new ArrayList<>();
    for (Files each : all()) {
      if (!each.boot.equals(boot) && each.alive) {
        killed.add(
            new OrphanProcess(1, each.key.jobId(), String.valueOf(each.key.runId()), each.boot));
        each.kill();
      }
    }
    return new OrphanSweep.Report(killed, List.of(), List.of());
  }

  List<Files> all() {
    return List.copyOf(files.values());
  }
}
