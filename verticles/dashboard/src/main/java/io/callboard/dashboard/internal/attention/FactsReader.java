package io.callboard.dashboard.internal.attention;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.Callboard;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.admin.MailSurvey;
import io.callboard.grid.Grid;
import io.callboard.grid.GridStatus;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.TroubledRuns;
import io.callboard.part.PartTrouble;
import io.callboard.part.RunningNode;
import io.callboard.pollers.Sources;
import io.callboard.pollers.model.SourceView;
import io.callboard.store.Member;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.model.BrakeView;
import io.callboard.workflows.model.WorkView;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Reader of the facts of a node: each is read when somebody asks, at most once within its interval,
 * and kept.
 */
public final class FactsReader {
  /** Maximum number of parked messages that are read. */
  public static final int MOST_PARKED = 500;

  private static final Duration NOW = Duration.ofMillis(500);

  /** Interval of what is made of every zone, or of all actors that are in trouble. */
  private static final Duration EACH = Duration.ofSeconds(2);

  private static final Duration SOON = Duration.ofSeconds(3);
  private static final Duration SELDOM = Duration.ofSeconds(5);
  private static final Duration RARELY = Duration.ofSeconds(10);
  private static final Duration OF_MANY = Duration.ofSeconds(30);

  /** Number of parked messages from which on they are read at {@link #OF_MANY}. */
  private static final int MANY_PARKED = 100;

  private final Callboard callboard;
  private final String cell;
  private final Optional<Jobs> jobs;
  private final Optional<Workflows> workflows;
  private final CachedReading<List<Member>> members;
  private final CachedReading<NotableActors> actors;
  private final CachedReading<MailSurvey> mail;
  private final CachedReading<List<FailureZoneStatus>> failureZones;
  private final CachedReading<GridStatus> grid;
  private final CachedReading<List<ParkedMessage>> parked;
  private final CachedReading<Listing<TypeLoad>> types;
  private final CachedReading<Listing<DeadJob>> dead;
  private final CachedReading<List<BrakeView>> brakes;
  private final CachedReading<Optional<WorkView>> work;
  private final CachedReading<List<SourceView>> sources;
  private final MemberRollUps rollUps;
  private final RunningNode node;
  private final Clock clock;
  private final Map<String, CachedReading<List<PartTrouble>>> ofParts = new ConcurrentHashMap<>();
  private final Set<Facts.Part> parts;

  /** Creates the reader of a node, which may have no jobs, no workflow engine and no sources. */
  public FactsReader(
      RunningNode node,
      String cell,
      Grid grid,
      Optional<Jobs> jobs,
      Optional<Workflows> workflows,
      Optional<Sources> sources,
      Clock clock) {
    this.node = node;
    this.callboard = node.callboard();
    this.clock = clock;
    this.cell = cell;
    this.jobs = jobs;
    this.workflows = workflows;
    Optional<JobLookup> ofJobs = jobs.map(all -> new JobLookup(all, clock));
    members = new CachedReading<>(NOW, clock, this.callboard::members);
    mail = new CachedReading<>(NOW, clock, () -> this.callboard.admin().mail());
    actors =
        new CachedReading<>(
            EACH,
            clock,
            () ->
                callboard.admin().mail().map(found -> NotableActors.of(callboard.admin(), found)));
    failureZones =
        new CachedReading<>(
            EACH, clock, () -> Future.succeededFuture(callboard.admin().failureZones()));
    this.grid = new CachedReading<>(SOON, clock, grid::status);
    ParkedCauses causes = new ParkedCauses();
    parked =
        new CachedReading<>(
            RARELY, clock, () -> this.callboard.admin().parked(MOST_PARKED).map(causes::of));
    types = kept(SOON, clock, ofJobs.map(all -> all::types), Listing.whole(List.of()));
    dead = kept(RARELY, clock, ofJobs.map(all -> all::dead), Listing.whole(List.of()));
    brakes = kept(SELDOM, clock, workflows.map(all -> all::brakes), List.of());
    work =
        kept(
            SELDOM,
            clock,
            workflows.map(all -> () -> all.workers().ofCell().map(Optional::of)),
            Optional.empty());
    this.sources = kept(SOON, clock, sources.map(all -> all::list), List.of());
    rollUps = new MemberRollUps(callboard, clock);
    parts = EnumSet.noneOf(Facts.Part.class);
    jobs.ifPresent(part -> parts.add(Facts.Part.JOBS));
    workflows.ifPresent(part -> parts.add(Facts.Part.WORKFLOWS));
    sources.ifPresent(part -> parts.add(Facts.Part.SOURCES));
  }

  /** Returns what is read from a part, if the node has it; else what is always read. */
  private static <T> CachedReading<T> kept(
      Duration every, Clock clock, Optional<Supplier<Future<T>>> source, T without) {
    return new CachedReading<>(every, clock, source.orElse(() -> Future.succeededFuture(without)));
  }

  /** Completes with the members of the cell. */
  public Future<Reading<List<Member>>> members() {
    return members.read();
  }

  /** Completes with the faults of the grid. */
  public Future<Reading<GridStatus>> grid() {
    return grid.read();
  }

  /** Completes with the mail that waits on this node. */
  public Future<Reading<MailSurvey>> mail() {
    return mail.read();
  }

  /** Completes with the failure zones of this node. */
  public Future<Reading<List<FailureZoneStatus>>> failureZones() {
    return failureZones.read();
  }

  /** Completes with the parked messages of the cell, at most {@value #MOST_PARKED}. */
  public Future<Reading<List<ParkedMessage>>> parked() {
    return parked.read(many() ? OF_MANY : RARELY);
  }

  /** Messages are read with their bodies: many cost much. */
  private boolean many() {
    List<ParkedMessage> last = parked.last().value();
    return last != null && last.size() >= MANY_PARKED;
  }

  /**
   * Completes with the roll-ups of members by their boot ids, this node's included; of the first
   * {@value MemberRollUps#MOST}.
   */
  public Future<Map<String, Reading<ObjectNode>>> rollUps(List<Member> members) {
    return rollUps.read(members, member -> true, MemberRollUps.EVERY);
  }

  /** Completes with the other members, this node left out: what it says of itself, it knows. */
  private Future<Listing<OtherNode>> others(List<Member> members) {
    Predicate<Member> isOther = member -> !member.name().equals(callboard.node());
    List<Member> others = members.stream().filter(isOther).toList();
    int asked = Math.min(others.size(), MemberRollUps.MOST);
    return rollUps
        .read(members, isOther, EACH)
        .map(
            read ->
                new Listing<>(
                    others.subList(0, asked).stream()
                        .map(
                            member ->
                                new OtherNode(
                                    member, Objects.requireNonNull(read.get(member.bootId()))))
                        .toList(),
                    others.size() > asked,
                    others.size() > asked
                        ? "of %d nodes %d are asked".formatted(others.size(), asked)
                        : null));
  }

  /** Completes with all facts; never fails. */
  Future<Facts> read() {
    Future<Reading<List<Member>>> itsMembers = members.read();
    Future<Reading<GridStatus>> itsGrid = grid.read();
    Future<Reading<NotableActors>> itsActors = actors.read();
    Future<Reading<List<FailureZoneStatus>>> itsZones = failureZones.read();
    Future<Reading<List<ParkedMessage>>> itsParked = parked();
    Future<Reading<Listing<TypeLoad>>> itsTypes = types.read();
    Future<Reading<Listing<DeadJob>>> itsDead = dead.read();
    Future<Reading<List<BrakeView>>> itsBrakes = brakes.read();
    Future<Reading<Optional<WorkView>>> itsWork = work.read();
    Future<Reading<List<SourceView>>> itsSources = sources.read();
    Future<Map<String, Reading<List<PartTrouble>>>> itsParts = ofParts();
    Future<Listing<OtherNode>> itsOthers =
        itsMembers.compose(read -> others(read.orElse(List.of())));
    return Future.all(
            List.of(
                itsMembers,
                itsGrid,
                itsActors,
                itsZones,
                itsParked,
                itsTypes,
                itsDead,
                itsBrakes,
                itsWork,
                itsSources,
                itsParts,
                itsOthers))
        .map(
            all ->
                new Facts(
                    callboard.node(),
                    callboard.bootId(),
                    cell,
                    parts,
                    itsMembers.result(),
                    itsOthers.result(),
                    itsGrid.result(),
                    itsActors.result(),
                    itsZones.result().orElse(List.of()),
                    callboard.admin().zones(),
                    callboard.admin().denied(),
                    leases(),
                    callboard.admin().stuckMail(),
                    itsParked.result(),
                    itsTypes.result(),
                    itsDead.result(),
                    jobs.map(Jobs::troubledRuns).orElse(TroubledRuns.NONE),
                    itsBrakes.result(),
                    itsWork.result(),
                    itsSources.result(),
                    archives(),
                    itsParts.result()));
  }

  /** Completes with the troubles of the parts of this node, which may get further ones. */
  private Future<Map<String, Reading<List<PartTrouble>>>> ofParts() {
    Map<String, Future<Reading<List<PartTrouble>>>> readings = new TreeMap<>();
    for (String part : node.parts()) {
      readings.put(
          part,
          ofParts
              .computeIfAbsent(
                  part, name -> new CachedReading<>(SOON, clock, () -> node.troubles(name)))
              .read());
    }
    return Future.all(List.copyOf(readings.values()))
        .map(
            all ->
                readings.entrySet().stream()
                    .collect(
                        Collectors.toMap(Map.Entry::getKey, each -> each.getValue().result())));
  }

  private Map<String, String> leases() {
    Map<String, String> unreadable = new TreeMap<>();
    callboard
        .admin()
        .unreadableLeases()
        .forEach((partition, why) -> unreadable.put(partition.toString(), why));
    return unreadable;
  }

  private List<StalledArchive> archives() {
    List<StalledArchive> away = new ArrayList<>();
    jobs.flatMap(Jobs::archive)
        .ifPresent(
            archive -> {
              if (archive.awaySince() != null) {
                Integer waiting = archive.waiting();
                away.add(
                    new StalledArchive(
                        "jobs",
                        archive.awaySince(),
                        waiting == null ? archive.ended() : waiting,
                        String.valueOf(archive.cause())));
              }
            });
    workflows
        .map(Workflows::archive)
        .ifPresent(
            archive -> {
              if (archive.awaySince() != null) {
                away.add(
                    new StalledArchive(
                        "workflow instances",
                        archive.awaySince(),
                        archive.ended(),
                        String.valueOf(archive.cause())));
              }
            });
    return away;
  }
}
