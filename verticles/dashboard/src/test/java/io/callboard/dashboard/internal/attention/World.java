package io.callboard.dashboard.internal.attention;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.Distribution;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.admin.MailboxStatus;
import io.callboard.admin.StuckMail;
import io.callboard.admin.ZoneStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.grid.Finding;
import io.callboard.grid.Findings;
import io.callboard.grid.GridStatus;
import io.callboard.grid.MissingNode;
import io.callboard.jobs.model.TroubledRuns;
import io.callboard.part.PartTrouble;
import io.callboard.pollers.model.AckMode;
import io.callboard.pollers.model.SourceRates;
import io.callboard.pollers.model.SourceStatus;
import io.callboard.pollers.model.SourceTotals;
import io.callboard.pollers.model.SourceView;
import io.callboard.store.Member;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.FailureStreak;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.Intensity;
import io.callboard.supervision.InterruptionStreak;
import io.callboard.supervision.RestartBudget;
import io.callboard.workflows.model.BrakeLevel;
import io.callboard.workflows.model.BrakeOverride;
import io.callboard.workflows.model.BrakeView;
import io.callboard.workflows.model.QueueView;
import io.callboard.workflows.model.WorkView;
import io.callboard.workflows.model.WorkerView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Facts that a test makes: of a cell in which all is well, unless it says otherwise. */
final class World {
  static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

  final List<Member> members =
      new ArrayList<>(List.of(member("node-a", Map.of()), member("node-b", Map.of())));
  final List<OtherNode> others = new ArrayList<>(List.of(answers(wellRollUp())));
  final List<MissingNode> missing = new ArrayList<>();
  final List<Finding> findings = new ArrayList<>();
  final List<ActorStatus> actors = new ArrayList<>();
  final List<FailureZoneStatus> failureZones = new ArrayList<>();
  final List<ZoneStatus> zones = new ArrayList<>();
  final Map<String, String> leases = new TreeMap<>();
  final List<StuckMail> stuck = new ArrayList<>();
  final List<ParkedMessage> parked = new ArrayList<>();
  final List<TypeLoad> types = new ArrayList<>();
  final List<DeadJob> dead = new ArrayList<>();
  TroubledRuns runs = TroubledRuns.NONE;
  final List<BrakeView> brakes = new ArrayList<>();
  final List<QueueView> queues = new ArrayList<>();
  final List<WorkerView> workers = new ArrayList<>();
  final List<SourceView> sources = new ArrayList<>();
  final List<StalledArchive> archives = new ArrayList<>();
  final Set<Facts.Part> parts = EnumSet.allOf(Facts.Part.class);
  final List<PartTrouble> ofPart = new ArrayList<>();
  Optional<String> denied = Optional.empty();
  Optional<String> monitor = Optional.of("node-a");
  @Nullable String membersError;
  @Nullable String sourcesError;
  @Nullable String partError;
  @Nullable String typesIncomplete;
  @Nullable String actorsIncomplete;
  @Nullable String othersIncomplete;
  boolean moreDead;
  int moreInterrupted;

  /** The facts now. */
  Facts facts() {
    return new Facts(
        "node-a",
        "boot-node-a",
        "main",
        parts,
        reading(members, membersError),
        new Listing<>(others, othersIncomplete != null, othersIncomplete),
        Reading.of(new GridStatus(missing, new Findings(monitor, findings)), NOW),
        Reading.of(new NotableActors(actors, actorsIncomplete, dependants(), interrupted()), NOW),
        failureZones,
        zones,
        denied,
        leases,
        stuck,
        Reading.of(parked, NOW),
        Reading.of(new Listing<>(types, false, typesIncomplete), NOW),
        Reading.of(new Listing<>(dead, moreDead, null), NOW),
        runs,
        Reading.of(brakes, NOW),
        Reading.of(Optional.of(new WorkView(1, List.of(), workers, queues)), NOW),
        reading(sources, sourcesError),
        archives,
        Map.of("printer", reading(ofPart, partError)));
  }

  /** Messages of an actor that cannot be sent to another. */
  static StuckMail stuck(String sender, String receiver, int messages) {
    return new StuckMail(
        ActorPath.of(sender), ActorPath.of(receiver), messages, ago(60), "it is damaged");
  }

  /** What the other node says. */
  ObjectNode there() {
    return Objects.requireNonNull(others.get(0).rollUp().value());
  }

  /** The other node, which says that. */
  static OtherNode answers(ObjectNode rollUp) {
    return new OtherNode(member("node-b", Map.of()), Reading.of(rollUp, NOW));
  }

  /** The other node, which has not answered for so long. */
  static OtherNode silent(@Nullable ObjectNode rollUp, int seconds) {
    Instant last = rollUp == null ? null : ago(seconds);
    return new OtherNode(
        member("node-b", Map.of()),
        new Reading<>(rollUp, last, "node node-b does not answer", ago(seconds - 1)));
  }

  /** A node on which all is well; its clock is 7 s behind. */
  static ObjectNode wellRollUp() {
    ObjectNode form = JsonNodeFactory.instance.objectNode().put("at", ago(7).toString());
    form.putObject("actors").putObject("byState").put("RUNNING", 3);
    form.putObject("system").putObject("byState").put("RUNNING", 2);
    form.putObject("zones").put("RUNNING", 1);
    form.put("openCircuits", 0);
    List.of("worst", "failedZones", "failing", "interrupted", "fullest", "oldest", "circuits")
        .forEach(form::putArray);
    form.putArray("threads").addObject().put("name", "default").put("blocked", 0);
    return form;
  }

  private int interrupted() {
    return (int) actors.stream().filter(actor -> actor.interrupted() != null).count()
        + moreInterrupted;
  }

  private Map<ActorPath, Long> dependants() {
    Map<ActorPath, Long> counts = new TreeMap<>();
    for (ActorStatus actor : actors) {
      if (actor.needs() != null) {
        counts.merge(actor.needs(), 1L, Long::sum);
      }
    }
    return counts;
  }

  private static <T> Reading<T> reading(T value, @Nullable String error) {
    Reading<T> read = Reading.of(value, NOW.minusSeconds(9));
    return error == null ? read : read.failed(error, NOW.minusSeconds(5));
  }

  List<Trouble> troubles() {
    return AttentionRules.check(facts(), NOW).items();
  }

  static Instant ago(int seconds) {
    return NOW.minusSeconds(seconds);
  }

  static Member member(String name, Map<String, String> facts) {
    return new Member(name, "boot-" + name, NOW.minusSeconds(3600), facts);
  }

  /** A node that is lost since that time. */
  static MissingNode lost(@Nullable Instant since) {
    return new MissingNode("node-c", "old", false, since);
  }

  /** An actor with its last failure 90 s ago. */
  static ActorStatus actor(
      String path,
      ActorStatus.State state,
      @Nullable Instant next,
      @Nullable MailboxStatus mailbox,
      @Nullable Record details,
      @Nullable String needs) {
    Instant failedAt = state == ActorStatus.State.RUNNING ? null : ago(90);
    return actor(path, state, next, mailbox, details, needs, failedAt, null, null);
  }

  /**
   * An actor that has failed so often, first and last so long ago, and for which as many messages
   * wait.
   */
  static ActorStatus failing(
      ActorStatus.State state, long failures, int first, int last, int waiting) {
    Instant oldest = waiting == 0 ? null : ago(first);
    MailboxStatus mailbox = new MailboxStatus(waiting, 0, oldest, 0, 0, 0);
    FailureStreak streak = new FailureStreak(ago(first), failures);
    return actor("/alone", state, null, mailbox, null, null, ago(last), streak, null);
  }

  /** An actor that was interrupted 170 times, first and last so long ago; two messages wait. */
  static ActorStatus interrupted(String path, int first, int last) {
    MailboxStatus mailbox = new MailboxStatus(2, 0, ago(first), 0, 0, 0);
    InterruptionStreak streak = new InterruptionStreak(ago(first), ago(last), 170);
    ActorStatus.State waits = ActorStatus.State.WAITS;
    return actor(path, waits, ago(last - 5), mailbox, null, null, ago(last), null, streak);
  }

  private static ActorStatus actor(
      String path,
      ActorStatus.State state,
      @Nullable Instant next,
      @Nullable MailboxStatus mailbox,
      @Nullable Record details,
      @Nullable String needs,
      @Nullable Instant failedAt,
      @Nullable FailureStreak streak,
      @Nullable InterruptionStreak interruptions) {
    return new ActorStatus(
        ActorPath.of(path),
        "node-a",
        "Type",
        mailbox != null,
        "default",
        state,
        3,
        0,
        0,
        0,
        failedAt == null ? null : "it slipped",
        failedAt,
        next,
        mailbox,
        details,
        null,
        null,
        needs == null ? null : ActorPath.of(needs),
        ChildKind.PERMANENT,
        null,
        streak,
        interruptions);
  }

  static FailureZoneStatus failureZone(
      String path, FailureZoneStatus.State state, @Nullable Instant failedAt) {
    return failureZone(path, state, failedAt, null);
  }

  static FailureZoneStatus failureZone(
      String path,
      FailureZoneStatus.State state,
      @Nullable Instant failedAt,
      @Nullable FailureStreak streak) {
    return new FailureZoneStatus(
        ActorPath.of(path),
        "node-a",
        new FailureZone(),
        state,
        List.of(),
        0,
        failedAt == null ? null : "more than 5 restarts within PT1M; the last was van: reset",
        failedAt,
        null,
        null,
        0,
        0,
        null,
        RestartBudget.unused(Intensity.DEFAULT),
        ChildKind.PERMANENT,
        null,
        streak);
  }

  static ZoneStatus zone(int size, boolean full, ZoneStatus.Blocked... blocked) {
    return new ZoneStatus(
        "default",
        "fixed",
        size,
        size,
        10,
        blocked.length,
        7,
        full,
        Duration.ZERO,
        Duration.ZERO,
        null,
        0,
        0,
        0,
        blocked.length,
        List.of(blocked),
        new Distribution(new long[0], new long[1], 0),
        Duration.ZERO);
  }

  static BrakeView brake(@Nullable Integer credit, @Nullable BrakeOverride override) {
    return new BrakeView(
        "index",
        credit == null || override != null ? BrakeLevel.OFF : BrakeLevel.REDUCED,
        credit,
        ago(30),
        "60 % of 40 instances failed",
        1,
        null,
        override,
        2,
        5,
        List.of());
  }

  static WorkerView worker(String type, boolean member) {
    return new WorkerView("node-b", Set.of(type), 8, Map.of(), false, Duration.ZERO, member);
  }

  static QueueView queue(String definition, int waiting, int seconds, String why) {
    return queue(definition, "handler:ocr@2", waiting, seconds, why);
  }

  static QueueView queue(String definition, String type, int waiting, int seconds, String why) {
    return new QueueView(definition, type, waiting, 0, Duration.ofSeconds(seconds), why);
  }

  static SourceView source(SourceStatus status, @Nullable String why) {
    return source("orders", status, why);
  }

  /** A source of that name; one that is paused is so for longer than one in backoff. */
  static SourceView source(String name, SourceStatus status, @Nullable String why) {
    return new SourceView(
        name,
        "redis",
        AckMode.values()[0],
        "job etl",
        status,
        why,
        "node-a",
        null,
        null,
        status == SourceStatus.PAUSED ? ago(60) : null,
        12L,
        10,
        0,
        SourceTotals.NONE,
        SourceRates.NONE,
        null,
        null,
        status == SourceStatus.BACKOFF ? "connection refused" : null,
        status == SourceStatus.BACKOFF ? ago(20) : null);
  }
}
