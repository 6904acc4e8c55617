package io.callboard.jobs;

import io.callboard.jobs.internal.actor.HostMonitor;
import io.callboard.jobs.internal.process.PlayedMachine;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.testkit.internal.world.DurableLife;
import io.callboard.testkit.internal.world.WorldNode;
import io.callboard.testkit.internal.world.WorldTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A {@link JobsWorld} played from one seed: a minute or two of faults, then calm.
 *
 * <p>Messages are late, lost, doubled and overtake each other as far as the toolkit allows it; each
 * actor is restarted, before and after its commits, moved and passivated; nodes die and return with
 * a new boot, stop in order, freeze, lose their contact and their session while their runs go on,
 * or are replaced by another machine of their name; hosts are drained; disks fill up, or do not
 * answer; the clocks of the nodes differ. Users submit, also under unique keys and with labels that
 * a host must have, cancel, hold, release, run again and delete jobs, pause types and change limits
 * of types and labels. An archivist writes rows and lets records go; jobs are run again from their
 * rows, and deleted. In some worlds faults are mild, so that the gate's questions stay open; one in
 * ten has twelve hosts.
 *
 * <p>{@link JobsHistory} judges what the processes did (I1, I2, I3), and that each end of a job is
 * told once. What is left shows at the end, when all faults have ceased: every job that was
 * accepted has ended, was let go or deleted, and {@link SlotCheck} finds no slot lost; so none has
 * leaked (I5) and silence has freed none for good (I4).
 */
final class JobsRehearsal {
  private static final long TICK = WorldTime.SECOND / 10;
  private static final int MOST_CALM_SECONDS = 60 * 60;

  /** Hosts of one world in ten; the others have three or four. */
  private static final int MANY = 12;

  private static final String LABEL = "db";
  private static final int LABEL_LIMIT = 2;

  /** What one host offers, and some jobs require. */
  private static final Map<String, String> OFFERED = Map.of("disk", "fast");

  private final JobsWorld world;
  private final SplittableRandom random;
  private final List<String> hosts = new ArrayList<>();
  private final Set<String> deleted = new HashSet<>();

  /** Jobs as a database has them, since their records were let go. */
  private final Map<String, JobData> rows = new TreeMap<>();

  private final RehearsedKeys keys;
  private final boolean changesLimits;

  /** Whether nodes fail seldom, and the gate never, so that questions have time to stay open. */
  private final boolean mild;

  private int numbers;

  JobsRehearsal(long seed, JobsWorld.Flaw flaw) {
    SplittableRandom of = new SplittableRandom(seed);
    int few = 3 + of.nextInt(2);
    int count = seed % 10 == 9 ? MANY : few;
    for (int i = 0; i < count; i++) {
      hosts.add("h" + i);
    }
    changesLimits = of.nextInt(4) == 0 && flaw != JobsWorld.Flaw.COUNTED_SLOTS;
    mild = of.nextInt(4) == 0;
    List<JobType> types =
        List.of(JobsWorld.type("etl", 1 + of.nextInt(3), null), JobsWorld.type("mail", 3, 0.4));
    world = new JobsWorld(of.nextLong(), flaw, hosts, types);
    random = of.split();
    world.putLimit(LABEL, LABEL_LIMIT);
    world.labels(hosts.get(0), OFFERED);
    keys = new RehearsedKeys(world);
    if (mild) {
      world.gateStays();
    }
  }

  JobsWorld world() {
    return world;
  }

  /** Plays the world. */
  void play() {
    world.cell().faults().on(true);
    int first = 6 + random.nextInt(10);
    for (int i = 0; i < first; i++) {
      submit();
    }
    int ticks = 400 + random.nextInt(600);
    for (int i = 0; i < ticks; i++) {
      world.runFor(TICK);
      fault();
      user();
    }
    calm();
    await("every job has ended", this::isDone);
    world.runFor(30 * WorldTime.SECOND); // all notices have come, and all stops are over
    bootMissing();
    world.runFor(30 * WorldTime.SECOND); // all hosts have reported
    world.jobs().stream().map(world::job).filter(job -> job != null).forEach(this::judge);
    rows.values().forEach(this::judge);
    new SlotCheck(world, hosts, LABEL, LABEL_LIMIT).play();
  }

  private void judge(JobData job) {
    world.history().judge(job);
  }

  private void submit() {
    boolean etl = random.nextInt(3) > 0;
    int dice = random.nextInt(40);
    Duration queue = dice == 0 ? Duration.ofSeconds(15) : null;
    Duration run = dice == 1 || dice == 2 ? Duration.ofSeconds(6) : null;
    Duration total = dice == 3 || dice == 4 ? Duration.ofSeconds(25) : null;
    Duration progress = random.nextBoolean() ? Duration.ofSeconds(3) : null;
    String onLost = dice == 5 ? "hold" : dice == 6 ? "fail" : "rerun";
    RetryPolicy retry =
        random.nextBoolean()
            ? null
            : new RetryPolicy(2, Duration.ofSeconds(1), Duration.ofSeconds(3));
    JobSpec spec =
        JobSpec.process(etl ? "etl" : "mail", List.of("work"))
            .withPriority(random.nextInt(4) == 0 ? 8 : 5)
            .withRunAt(
                dice < 12 && dice > 6
                    ? JobsWorld.EPOCH.plus(WORLD_BEGINS).plusSeconds(dice * 4)
                    : null)
            .withUniqueKey(dice > 30 ? "key " + dice % 2 : null)
            .withLabels(random.nextInt(3) == 0 ? Map.of(LABEL, "acme") : Map.of())
            .withRetry(retry)
            .withTimeouts(new JobSpec.JobTimeouts(queue, run, total, progress))
            .withOnLost(onLost);
    String job = Integer.toHexString(0xa00 + numbers++);
    PlayedMachine.Plan plan = plan(run != null || total != null);
    if (spec.uniqueKey() != null) {
      keys.submit(job, spec, plan);
    } else {
      world.submit(job, random.nextInt(10) == 0 ? spec.requiring(OFFERED) : spec, plan);
    }
  }

  /** Begin of the wall clocks of the world. */
  private static final Duration WORLD_BEGINS =
      Duration.between(JobsWorld.EPOCH, java.time.Instant.parse("2026-11-24T00:00:00Z"));

  private PlayedMachine.Plan plan(boolean mayHang) {
    long lasts = upTo(random.nextInt(mild ? 3 : 16) == 0 ? 90 : random.nextInt(4) == 0 ? 30 : 6);
    boolean hangs = mayHang && random.nextInt(3) == 0;
    return new PlayedMachine.Plan(
        hangs ? -1 : lasts,
        random.nextInt(5) == 0 ? 1 : 0,
        random.nextInt(3) == 0 ? lasts / 4 : Long.MAX_VALUE,
        random.nextInt(3) > 0,
        random.nextInt(6) == 0 ? random.nextLong(15 * WorldTime.SECOND) : 0);
  }

  private long upTo(int seconds) {
    return random.nextLong(seconds * WorldTime.SECOND);
  }

  private void fault() {
    int dice = random.nextInt(1_000);
    List<WorldNode> nodes = world.cell().nodes();
    if (!nodes.isEmpty()) {
      fault(dice, nodes.get(random.nextInt(nodes.size())));
    }
    hosts.forEach(this::comesBack);
  }

  private void fault(int dice, WorldNode node) {
    if (mild && dice < 12 && random.nextInt(8) > 0) {
      world.machine(node.node()).unreadable(true);
    } else if (dice < 4) {
      world.history().say(node, "freezes");
      node.freeze(upTo(30));
    } else if (dice < 9) {
      world.history().say(node, "is cut off");
      node.cut(upTo(30));
    } else if (dice < 12) {
      world.kill(node);
    } else if (dice < 20) {
      if (!mild) {
        world.history().say("the gate moves");
        world.cell().moveAnywhere(world.gate());
      }
    } else if (dice < 22) {
      world.gate().slow(upTo(20));
    } else if (dice < 40) {
      anyActor().slow(upTo(40));
    } else if (dice < 50) {
      world.cell().moveAnywhere(anyActor());
    } else if (dice < 70) {
      anyActor().passivate();
    } else if (dice < 80) {
      boolean fails = random.nextInt(5) == 0;
      node.restart(HostMonitor.path(node.node()), upTo(fails ? 90 : 1));
    } else if (dice < 82) {
      world.machine(node.node()).full(true);
    } else if (dice < 84) {
      world.machine(node.node()).unreadable(true);
    } else if (dice < 88) {
      world.history().say(node, "is drained");
      world.cell().draining(node.node(), true);
      if (world.gateState().handles().values().stream()
          .anyMatch(handle -> handle.host().equals(node.node()))) {
        world.history().does(RehearsedDeed.DRAINED);
      }
    } else if (dice < 91) {
      world.stop(node);
    }
  }

  private void comesBack(String host) {
    WorldNode node = world.node(host);
    if (node == null) {
      if (random.nextInt(80) == 0) {
        world.boot(host);
      }
    } else if (!world.cell().isMember(node) && !node.isInTouch() && random.nextInt(40) == 0) {
      world.replace(node);
    }
    if (random.nextInt(60) == 0) {
      world.machine(host).full(false);
    }
    if (random.nextInt(150) == 0) {
      world.cell().draining(host, false);
    }
    if (random.nextInt(mild ? 1_500 : 500) == 0) {
      world.machine(host).unreadable(false);
    }
  }

  private DurableLife anyActor() {
    List<DurableLife> all = new ArrayList<>(world.cell().actors());
    if (mild) {
      all.remove(world.gate());
    }
    return all.get(random.nextInt(all.size()));
  }

  private void user() {
    int dice = random.nextInt(200);
    if (world.jobs().isEmpty()) {
      return;
    }
    String job = world.jobs().get(random.nextInt(world.jobs().size()));
    if (dice < 2 && world.jobs().size() < 40) {
      submit();
    } else if (dice == 2 && random.nextInt(10) == 0) {
      for (int i = 0; i < 14; i++) {
        submit(); // beyond what the gate's window reserves
      }
    } else if (dice == 3) {
      world.tellJob(job, new JobCommand.Cancel(JobsWorld.EPOCH));
    } else if (dice < 6) {
      world.tellJob(job, new JobCommand.Hold(JobsWorld.EPOCH));
    } else if (dice < 9) {
      world.tellJob(job, new JobCommand.Release(JobsWorld.EPOCH));
    } else if (dice < 11) {
      rerun(job);
    } else if (dice == 11) {
      delete(job);
    } else if (dice == 12) {
      archive(job);
    } else if (dice == 13 && random.nextInt(3) == 0) {
      world.tellGate(new GateCommand.Pause("etl", random.nextBoolean()));
    } else if (dice == 14 && changesLimits) {
      world.tellGate(
          new GateCommand.PutType(
              JobsWorld.type("etl", random.nextInt(1 + world.types().get("etl").limit()), null),
              null,
              null,
              null));
    } else if (dice == 15 && changesLimits) {
      world.history().does(RehearsedDeed.LABEL_LIMITED);
      world.tellGate(new GateCommand.PutLimit(LABEL, random.nextInt(1 + LABEL_LIMIT)));
    }
  }

  /** Runs a job again; one with a unique key would have to claim that before. */
  private void rerun(String job) {
    JobData row = rows.get(job);
    JobData known = row == null ? world.job(job) : row;
    if (known != null && known.spec().uniqueKey() == null) {
      if (row != null && world.job(job) == null) {
        world.history().does(RehearsedDeed.RESTORED);
      }
      world.tellJob(
          job,
          row == null
              ? new JobCommand.Rerun(JobsWorld.EPOCH)
              : new JobCommand.Restore(row, JobsWorld.EPOCH));
    }
  }

  private void delete(String job) {
    JobData row = rows.remove(job);
    deleted.add(job);
    if (row != null && world.job(job) == null) {
      world.history().does(RehearsedDeed.ROW_DELETED);
    }
    world.tellJob(
        job,
        row == null
            ? new JobCommand.Delete(JobsWorld.EPOCH)
            : new JobCommand.DeleteArchived(row, JobsWorld.EPOCH));
  }

  /** Writes the row of a job that has ended, and then perhaps dies before the record goes. */
  private void archive(String job) {
    JobData known = world.job(job);
    if (known != null && known.state().terminal()) {
      rows.put(job, known);
      if (random.nextInt(4) > 0) {
        world.tellJob(job, new JobCommand.LetGo(known.version()));
      }
    }
  }

  /** Ends all faults; users release what they held. */
  private void calm() {
    world.history().say("CALM");
    world.cell().calm();
    world.cell().nodes().forEach(node -> node.restart(HostMonitor.path(node.node()), 0));
    hosts.forEach(host -> world.machine(host).full(false));
    hosts.forEach(host -> world.machine(host).unreadable(false));
    hosts.forEach(host -> world.cell().draining(host, false));
    bootMissing();
    world.putLimit(LABEL, LABEL_LIMIT);
    world
        .types()
        .values()
        .forEach(type -> world.tellGate(new GateCommand.PutType(type, null, null, null)));
    world.jobs().forEach(job -> world.tellJob(job, new JobCommand.Release(JobsWorld.EPOCH)));
  }

  private interface Condition {
    boolean holds();
  }

  private void await(String what, Condition condition) {
    for (int i = 0; i < MOST_CALM_SECONDS; i++) {
      world.runFor(WorldTime.SECOND);
      if (i % 10 == 9) {
        bootMissing();
        releaseHeld();
      }
      if (condition.holds()) {
        return;
      }
    }
    world
        .history()
        .rule(
            false,
            "I4, I5: it does not come that %s: %s%n%s",
            what,
            world.jobs().stream().filter(job -> !isOver(job)).map(this::brief).toList(),
            world.gateState());
  }

  private String brief(String job) {
    JobData data = world.job(job);
    return data == null
        ? job
        : "%s %s due %s %s".formatted(job, data.state(), data.nextAttemptAt(), data.lastRun());
  }

  /** A node whose name was taken while it was away has ended itself. */
  private void bootMissing() {
    hosts.stream().filter(host -> world.node(host) == null).forEach(world::boot);
  }

  /** Jobs that are held because their run was lost wait for their users. */
  private void releaseHeld() {
    for (String job : world.jobs()) {
      JobData data = world.job(job);
      if (data != null && data.state() == JobState.HELD) {
        world.tellJob(job, new JobCommand.Release(JobsWorld.EPOCH));
      }
    }
  }

  private boolean isDone() {
    return world.jobs().stream().allMatch(this::isOver) && world.history().alive() == 0;
  }

  private boolean isOver(String job) {
    JobData data = world.job(job);
    return data == null ? deleted.contains(job) || rows.containsKey(job) : data.state().terminal();
  }
}
