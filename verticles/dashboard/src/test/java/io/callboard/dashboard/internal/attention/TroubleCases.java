package io.callboard.dashboard.internal.attention;

import io.callboard.admin.ActorStatus;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.admin.MailboxStatus;
import io.callboard.admin.ZoneStatus;
import io.callboard.grid.Finding;
import io.callboard.grid.HostFaults;
import io.callboard.grid.MissingNode;
import io.callboard.guard.GuardStatus;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.GateLoad;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.jobs.model.TypePause;
import io.callboard.jobs.model.TypeView;
import io.callboard.part.PartTrouble;
import io.callboard.pollers.model.SourceStatus;
import io.callboard.supervision.FailureStreak;
import io.callboard.workflows.model.BrakeOverride;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What can be wrong, a case for each rule at least. */
final class TroubleCases {
  private static final ZoneStatus.Blocked BLOCKED =
      new ZoneStatus.Blocked("worker-1", "/shop/van", Duration.ofSeconds(8), List.of());

  private TroubleCases() {}

  /**
   * Something wrong.
   *
   * @param node other node on which it is; null if it is on this one, or the cell's
   * @param begins makes it so
   * @param ends what remains when it has passed
   */
  record Case(
      Rule rule,
      Severity severity,
      Subject.Kind kind,
      String subject,
      @Nullable String node,
      String cause,
      Consumer<World> begins,
      Consumer<World> ends) {
    @Override
    public String toString() {
      return rule + " " + subject + (node == null ? "" : " on " + node);
    }
  }

  private static Case of(
      Rule rule,
      Severity severity,
      Subject.Kind kind,
      String subject,
      String cause,
      Consumer<World> begins,
      Consumer<World> ends) {
    return new Case(rule, severity, kind, subject, null, cause, begins, ends);
  }

  static void findings(World world, Finding.Kind kind, String what) {
    world.findings.add(new Finding(kind, what, "so says the monitor"));
  }

  static TypeLoad type(boolean paused, int queued, int waitedSeconds) {
    return type(paused, paused ? 0 : 4, queued, World.ago(waitedSeconds));
  }

  static TypeLoad type(
      boolean paused, int granted, int due, @Nullable Instant since, Blocked... blockedBy) {
    JobType type = new JobType("etl", JobType.PROCESS, 4, paused, RetryPolicy.ONCE);
    GateLoad load = new GateLoad("etl", granted, "job-7", World.ago(600), due, "job-9", since);
    TypePause pause = paused ? new TypePause("anna", "disk full", World.NOW) : null;
    return new TypeLoad(new TypeView(type, pause), load, List.of(blockedBy));
  }

  static Blocked blocked(String kind, String detail) {
    return Blocked.of(kind, detail, "something happens");
  }

  static MailboxStatus mail(int age, long parked) {
    return new MailboxStatus(2, 1, age < 0 ? null : World.ago(age), 0.5, 0, parked);
  }

  static DeadJob dead(String id, int seconds, String cause) {
    return new DeadJob(id, "etl", cause, World.ago(seconds));
  }

  static Stream<Case> cases() {
    return Stream.of(
            ofTheCell(), ofActors(), ofWork(), RunTroubleCases.all(), NodeTroubleCases.all())
        .flatMap(List::stream);
  }

  /** A failure zone that has failed three times since 200 s ago, the last time so long ago. */
  private static FailureZoneStatus failingZone(int seconds) {
    FailureStreak streak = new FailureStreak(World.ago(200), 3);
    return World.failureZone("/shop", FailureZoneStatus.State.RUNNING, World.ago(seconds), streak);
  }

  private static List<Case> ofTheCell() {
    Severity bad = Severity.CRITICAL;
    Severity warning = Severity.WARNING;
    return List.of(
        of(
            Rule.STORE_UNREACHABLE,
            bad,
            Subject.Kind.CELL,
            "main",
            "does not answer node node-a: connection loss",
            world -> world.membersError = "connection loss",
            world -> world.membersError = null),
        of(
            Rule.STORE_UNREACHABLE,
            bad,
            Subject.Kind.CELL,
            "main",
            "denies node node-a what it needs: no right to create /x",
            world -> world.denied = Optional.of("no right to create /x"),
            world -> world.denied = Optional.empty()),
        of(
            Rule.NOT_A_MEMBER,
            bad,
            Subject.Kind.NODE,
            "node-a",
            "is not a member",
            world -> world.members.remove(0),
            world -> world.members.add(World.member("node-a", Map.of()))),
        of(
            Rule.NODE_LOST,
            bad,
            Subject.Kind.NODE,
            "node-c",
            "did not leave the cell",
            world -> world.missing.add(World.lost(null)),
            world -> world.missing.clear()),
        of(
            Rule.NODE_LOST,
            bad,
            Subject.Kind.NODE,
            "node-c",
            "did not leave the cell",
            world -> world.missing.add(World.lost(World.ago(86_400))),
            world -> world.missing.clear()),
        of(
            Rule.NODE_LOST,
            Severity.NOTICE,
            Subject.Kind.NODE,
            "node-c",
            "did not leave the cell",
            world -> world.missing.add(World.lost(World.ago(86_401))),
            world -> world.missing.set(0, World.lost(World.ago(30 * 86_400 + 1)))),
        of(
            Rule.NODE_SUSPECT,
            warning,
            Subject.Kind.NODE,
            "node-b",
            "it is silent",
            world -> world.missing.add(new MissingNode("node-b", "boot-node-b", true, null)),
            world -> world.missing.clear()),
        of(
            Rule.LEASE_UNREADABLE,
            bad,
            Subject.Kind.PART,
            "partition shop/3",
            "its actors do not run: it is no JSON",
            world -> world.leases.put("shop/3", "it is no JSON"),
            world -> world.leases.clear()),
        of(
            Rule.ROLE_WITHOUT_HOLDER,
            bad,
            Subject.Kind.ROLE,
            "clerk",
            "so says the monitor",
            world -> findings(world, Finding.Kind.ROLE_WITHOUT_HOLDER, "clerk"),
            world -> world.findings.clear()),
        of(
            Rule.ROLE_WITHOUT_STANDBY,
            warning,
            Subject.Kind.ROLE,
            "clerk",
            "so says the monitor",
            world -> findings(world, Finding.Kind.ROLE_WITHOUT_STANDBY, "clerk"),
            world -> world.findings.clear()),
        of(
            Rule.GRID_FINDING,
            warning,
            Subject.Kind.PART,
            "node-a and node-b",
            "so says the monitor",
            world -> findings(world, Finding.Kind.CLOCKS_DIFFER, "node-a and node-b"),
            world -> world.findings.clear()),
        of(
            Rule.PART_TROUBLED,
            warning,
            Subject.Kind.PART,
            "printer",
            "tray 2: it has 3 sheets",
            world ->
                world.ofPart.add(
                    new PartTrouble("tray 2", false, null, "it has 3 sheets", "fill it")),
            world -> world.ofPart.clear()),
        of(
            Rule.GRID_UNWATCHED,
            warning,
            Subject.Kind.ROLE,
            "grid-monitor",
            "no node runs the grid monitor",
            world -> world.monitor = Optional.empty(),
            world -> world.monitor = Optional.of("node-b")),
        of(
            Rule.HOST_FAULT,
            bad,
            Subject.Kind.HOST,
            "node-c",
            "no space left on device",
            world ->
                world.members.add(
                    World.member("node-c", Map.of(HostFaults.FACT, "no space left on device"))),
            world -> world.members.set(2, World.member("node-c", Map.of(HostFaults.FACT, "")))),
        of(
            Rule.ARCHIVE_AWAY,
            warning,
            Subject.Kind.PART,
            "archive of jobs",
            "7 jobs that have ended wait for it in ZooKeeper: refused",
            world -> world.archives.add(new StalledArchive("jobs", World.ago(50), 7, "refused")),
            world -> world.archives.clear()),
        of(
            Rule.NOT_READ,
            warning,
            Subject.Kind.PART,
            "sources",
            "nothing is known of them now: no answer within 2 s",
            world -> world.sourcesError = "no answer within 2 s",
            world -> world.sourcesError = null));
  }

  private static List<Case> ofActors() {
    Severity warning = Severity.WARNING;
    return List.of(
        of(
            Rule.FAILURE_ZONE_FAILED,
            Severity.CRITICAL,
            Subject.Kind.ACTOR,
            "/shop",
            "the last was van: reset; 1 actor rests with it",
            world -> {
              world.failureZones.add(
                  World.failureZone("/shop", FailureZoneStatus.State.FAILED, World.ago(70)));
              world.actors.add(
                  World.actor("/shop/van", ActorStatus.State.RESTS, null, null, null, "/shop"));
            },
            world -> {
              world.failureZones.set(
                  0, World.failureZone("/shop", FailureZoneStatus.State.RUNNING, World.ago(70)));
              world.actors.clear();
            }),
        of(
            Rule.ACTOR_FAILED,
            Severity.CRITICAL,
            Subject.Kind.ACTOR,
            "/alone",
            "it slipped; 3 messages wait",
            world ->
                world.actors.add(
                    World.actor("/alone", ActorStatus.State.FAILED, null, null, null, null)),
            world ->
                world.actors.set(
                    0, World.actor("/alone", ActorStatus.State.RUNNING, null, null, null, null))),
        of(
            Rule.KEEPS_FAILING,
            warning,
            Subject.Kind.ACTOR,
            "/alone",
            "7 failures since it last ran well, the last: it slipped; 2 messages wait",
            world -> world.actors.add(World.failing(ActorStatus.State.STARTING, 7, 61, 9, 2)),
            world -> world.actors.set(0, World.failing(ActorStatus.State.STARTING, 7, 59, 9, 2))),
        of(
            Rule.KEEPS_FAILING,
            warning,
            Subject.Kind.ACTOR,
            "/shop",
            "3 failures since it last ran well, the last: more than 5 restarts",
            world -> world.failureZones.add(failingZone(60)),
            world -> world.failureZones.set(0, failingZone(61))),
        of(
            Rule.STAYS_INTERRUPTED,
            warning,
            Subject.Kind.ACTOR,
            "/alone",
            "170 interruptions in a row, the last failure: it slipped; 2 messages wait",
            world -> world.actors.add(World.interrupted("/alone", 64, 3)),
            world -> world.actors.set(0, World.interrupted("/alone", 63, 3))),
        of(
            Rule.STAYS_INTERRUPTED,
            warning,
            Subject.Kind.NODE,
            "node-a",
            "99,001 of its actors stay interrupted, /alone for longest: it slipped",
            world -> {
              world.actors.add(World.interrupted("/alone", 64, 3));
              world.moreInterrupted = 99_000;
            },
            world -> {
              world.actors.clear();
              world.moreInterrupted = 0;
            }),
        of(
            Rule.LONG_WAIT,
            warning,
            Subject.Kind.ACTOR,
            "/alone",
            "it waits for its restart after it slipped",
            world ->
                world.actors.add(
                    World.actor(
                        "/alone",
                        ActorStatus.State.WAITS,
                        World.NOW.plusSeconds(5),
                        null,
                        null,
                        null)),
            world ->
                world.actors.set(
                    0, World.actor("/alone", ActorStatus.State.RUNNING, null, null, null, null))),
        of(
            Rule.LONG_WAIT,
            warning,
            Subject.Kind.ACTOR,
            "/shop",
            "it waits for its restart after more than 5 restarts",
            world ->
                world.failureZones.add(
                    World.failureZone("/shop", FailureZoneStatus.State.WAITS, World.ago(61))),
            world ->
                world.failureZones.set(
                    0, World.failureZone("/shop", FailureZoneStatus.State.WAITS, World.ago(59)))),
        of(
            Rule.CIRCUIT_OPEN,
            warning,
            Subject.Kind.ACTOR,
            "/bank",
            "its circuit is open after 6 failures in a row; 2 messages are held",
            world ->
                world.actors.add(
                    World.actor(
                        "/bank",
                        ActorStatus.State.RUNNING,
                        null,
                        null,
                        new GuardStatus(
                            GuardStatus.State.OPEN, 6, 2, 0, 0, 0, 0, 0, 0, World.ago(4)),
                        null)),
            world ->
                world.actors.set(
                    0,
                    World.actor(
                        "/bank", ActorStatus.State.RUNNING, null, null, GuardStatus.NEW, null))),
        of(
            Rule.THREAD_BLOCKED,
            warning,
            Subject.Kind.ZONE,
            "default",
            "1 of its threads are held by /shop/van; 7 slices wait",
            world -> world.zones.add(World.zone(2, false, BLOCKED)),
            world -> world.zones.set(0, World.zone(2, false))),
        of(
            Rule.SCHEDULING_ZONE_FULL,
            warning,
            Subject.Kind.ZONE,
            "default",
            "7 slices wait for its 2 threads",
            world -> world.zones.add(World.zone(2, true)),
            world -> world.zones.set(0, World.zone(2, false))),
        of(
            Rule.MESSAGES_PARKED,
            warning,
            Subject.Kind.PARKED,
            "/shop/shelf",
            "2 messages are parked: no room for # figs",
            world -> {
              world.parked.add(new ParkedMessage("/shop/shelf", "no room for 12 figs"));
              world.parked.add(new ParkedMessage("/shop/shelf", "no room for 7 figs"));
            },
            world -> world.parked.clear()),
        of(
            Rule.MAIL_STUCK,
            warning,
            Subject.Kind.ACTOR,
            "/shop/shelf",
            "3 messages in the outbox of 2 actors cannot be sent to it: it is damaged",
            world -> {
              world.stuck.add(World.stuck("/shop/clerk", "/shop/shelf", 1));
              world.stuck.add(World.stuck("/shop/porter", "/shop/shelf", 2));
            },
            world -> world.stuck.clear()),
        of(
            Rule.OLD_MAIL,
            warning,
            Subject.Kind.ACTOR,
            "/slow",
            "at least 3 messages wait, and 0.5 a second are handled",
            world ->
                world.actors.add(
                    World.actor("/slow", ActorStatus.State.RUNNING, null, mail(61, 0), null, null)),
            world ->
                world.actors.set(
                    0,
                    World.actor(
                        "/slow", ActorStatus.State.RUNNING, null, mail(59, 0), null, null))));
  }

  private static List<Case> ofWork() {
    Severity warning = Severity.WARNING;
    BrakeOverride ana = new BrakeOverride(0, "ana", "the disk is full", World.ago(9));
    return List.of(
        of(
            Rule.GATE_FULL,
            warning,
            Subject.Kind.TYPE,
            "etl",
            "61 jobs wait, as its limit is reached: 4 of 4 runs are taken; the longest has run",
            world -> world.types.add(type(false, 61, 121)),
            world -> world.types.set(0, type(false, 61, 119))),
        of(
            Rule.GATE_FULL,
            warning,
            Subject.Kind.TYPE,
            "etl",
            "61 jobs wait, as its limit is reached: 4 of 4 runs are taken",
            world -> world.types.add(type(false, 4, 61, null)),
            world -> world.types.set(0, type(false, 4, 0, null))),
        of(
            Rule.NO_HOST,
            Severity.CRITICAL,
            Subject.Kind.TYPE,
            "etl",
            "2 jobs wait, and no host takes the oldest: no host offers gpu=yes",
            world ->
                world.types.add(
                    type(
                        false, 1, 2, World.ago(121), blocked("no-host", "no host offers gpu=yes"))),
            world ->
                world.types.set(
                    0,
                    type(
                        false,
                        1,
                        2,
                        World.ago(121),
                        blocked("no-slot", "all 4 slots of 1 hosts are in use"),
                        blocked("draining", "host b is draining")))),
        of(
            Rule.NO_HOST,
            Severity.NOTICE,
            Subject.Kind.TYPE,
            "etl",
            "1 job waits, and no host takes the oldest: host b is draining",
            world ->
                world.types.add(
                    type(false, 1, 1, World.ago(121), blocked("draining", "host b is draining"))),
            world ->
                world.types.set(
                    0,
                    type(false, 1, 1, World.ago(119), blocked("draining", "host b is draining")))),
        of(
            Rule.NOT_READ,
            warning,
            Subject.Kind.PART,
            "types of jobs",
            "they were read in part, so others may be wrong too: of 21 types",
            world -> world.typesIncomplete = "of 21 types 20 were asked",
            world -> world.typesIncomplete = null),
        of(
            Rule.NOT_READ,
            warning,
            Subject.Kind.PART,
            "actors of this node",
            "they were read in part, so others may be wrong too: 9000 further ones do not run",
            world -> world.actorsIncomplete = "9000 further ones do not run",
            world -> world.actorsIncomplete = null),
        of(
            Rule.TYPE_PAUSED,
            Severity.NOTICE,
            Subject.Kind.TYPE,
            "etl",
            "it is paused, and 1 job waits; paused by anna since 2026-11-24T12:00:00Z: disk full",
            world -> world.types.add(type(true, 1, 1)),
            world -> world.types.set(0, type(true, 0, 0))),
        of(
            Rule.JOBS_DEAD,
            warning,
            Subject.Kind.DEAD_JOBS,
            "etl",
            "2 jobs have died in the last hour: exit code 3 of run 1",
            world -> {
              world.dead.add(dead("a", 100, "exit code 3 of run 1"));
              world.dead.add(dead("b", 3000, "exit code 3 of run 12"));
            },
            world -> {
              world.dead.clear();
              world.dead.add(dead("b", 3601, "exit code 3 of run 12"));
            }),
        of(
            Rule.BRAKE_ON,
            warning,
            Subject.Kind.DEFINITION,
            "index",
            "60 % of 40 instances failed; 5 instances wait",
            world -> world.brakes.add(World.brake(10, null)),
            world -> world.brakes.set(0, World.brake(null, null))),
        of(
            Rule.BRAKE_ON,
            Severity.NOTICE,
            Subject.Kind.DEFINITION,
            "index",
            "as ana has set: the disk is full",
            world -> world.brakes.add(World.brake(0, ana)),
            world -> world.brakes.set(0, World.brake(null, null))),
        of(
            Rule.STEPS_WAIT,
            Severity.CRITICAL,
            Subject.Kind.PART,
            "handler:ocr@2",
            "5 steps wait of 2 definitions, index among them: no worker offers ocr@2",
            world -> {
              world.workers.add(World.worker("handler:ocr@2", false));
              world.queues.add(World.queue("scan", 2, 60, "no worker offers ocr@2"));
              world.queues.add(World.queue("mail", 2, 121, "no worker offers ocr@2"));
              world.queues.add(World.queue("index", 3, 130, "no worker offers ocr@2"));
            },
            world -> world.queues.removeIf(queue -> queue.waiting() > 0)),
        of(
            Rule.STEPS_WAIT,
            warning,
            Subject.Kind.PART,
            "handler:ocr@2",
            "3 steps wait of index: all workers are draining",
            world -> {
              world.workers.add(World.worker("handler:ocr@2", true));
              world.queues.add(World.queue("index", 3, 130, "all workers are draining"));
            },
            world -> world.queues.set(0, World.queue("index", 3, 110, "they are full"))),
        of(
            Rule.STEPS_WAIT,
            Severity.CRITICAL,
            Subject.Kind.PART,
            "job:reprot",
            "1 step waits of index: there is no job type \"reprot\"",
            world -> {
              world.workers.add(World.worker("handler:ocr@2", true));
              world.queues.add(
                  World.queue("index", "job:reprot", 1, 130, "there is no job type \"reprot\""));
            },
            world -> world.queues.clear()),
        of(
            Rule.SOURCE_STOPPED,
            warning,
            Subject.Kind.SOURCE,
            "orders",
            "it is opened again at 12:01; 12 messages wait",
            world ->
                world.sources.add(
                    World.source(SourceStatus.BACKOFF, "it is opened again at 12:01")),
            world -> world.sources.set(0, World.source(SourceStatus.POLLING, null))),
        of(
            Rule.SOURCE_STOPPED,
            Severity.NOTICE,
            Subject.Kind.SOURCE,
            "orders",
            "paused by ana; 12 messages wait",
            world -> world.sources.add(World.source(SourceStatus.PAUSED, "paused by ana")),
            world -> world.sources.set(0, World.source(SourceStatus.FULL, "its credit is used"))),
        of(
            Rule.SOURCE_TROUBLED,
            warning,
            Subject.Kind.SOURCE,
            "orders",
            "2 messages cannot be set aside",
            world ->
                world.sources.add(
                    World.source(SourceStatus.POLLING, "2 messages cannot be set aside")),
            world -> world.sources.set(0, World.source(SourceStatus.POLLING, null))));
  }
}
