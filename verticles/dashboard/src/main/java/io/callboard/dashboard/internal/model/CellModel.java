package io.callboard.dashboard.internal.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.Callboard;
import io.callboard.admin.ActorCounts;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.CommitCounts;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.admin.MailSurvey;
import io.callboard.admin.NodeMetrics;
import io.callboard.cell.NodeVersion;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.attention.FactsReader;
import io.callboard.dashboard.internal.attention.ParkedMessage;
import io.callboard.dashboard.internal.attention.Reading;
import io.callboard.grid.GridStatus;
import io.callboard.grid.MissingNode;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobCounts;
import io.callboard.jobs.model.JobHost;
import io.callboard.placement.Locality;
import io.callboard.placement.Offer;
import io.callboard.store.Member;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Figures of the node and its cell, as JSON in sections, read on demand. */
public final class CellModel {
  /** Answer to a request about jobs, for people. */
  public static final String NO_JOBS =
      "this node has no job scheduler: ask a node that was started with callboard, or start Jobs in"
          + " the application";

  private static final int FULLEST = 5;
  private static final Map<String, Double> QUANTILES =
      new TreeMap<>(Map.of("p50", 0.5, "p95", 0.95, "p99", 0.99));

  private final Callboard callboard;
  private final FactsReader facts;
  private final Optional<Jobs> jobs;
  private final Throughput throughput;
  private final Clock clock;
  private final ObjectNode node;

  /** Creates the model. */
  public CellModel(
      Callboard callboard,
      FactsReader facts,
      Optional<Jobs> jobs,
      Throughput throughput,
      Clock clock,
      String cell,
      String version) {
    this.callboard = callboard;
    this.facts = facts;
    this.jobs = jobs;
    this.throughput = throughput;
    this.clock = clock;
    this.node =
        JsonNodeFactory.instance
            .objectNode()
            .put("name", callboard.node())
            .put("bootId", callboard.bootId())
            .put("cell", cell)
            .put("version", version)
            .put("countsSince", clock.instant().toString());
  }

  /**
   * Returns the sections {@code node members actors jobs rate mailboxes parked messages commits
   * links blobs asks}, and {@code asOf} with the time at which each was read. One that could not be
   * read has its last content, and {@code error}, which says why.
   */
  public Future<Map<String, ObjectNode>> overview() {
    Future<Reading<List<Member>>> members = facts.members();
    Future<Reading<MailSurvey>> mail = facts.mail();
    Future<Reading<List<FailureZoneStatus>>> zones = facts.failureZones();
    Future<Reading<List<ParkedMessage>>> parked = facts.parked();
    return Future.all(members, mail, zones, parked)
        .map(
            all -> {
              Instant now = clock.instant();
              Sections sections = new Sections(now);
              sections.put("node", node.deepCopy());
              sections.put("members", members.result(), CellModel::members);
              sections.put(
                  "actors",
                  mail.result(),
                  survey -> actors(survey, zones.result().orElse(List.of())));
              jobs.ifPresent(
                  scheduler -> {
                    sections.put("jobs", jobs(scheduler.counts()));
                    sections.put("rate", throughput.rate(now));
                  });
              sections.put("mailboxes", mail.result(), survey -> MailboxFigures.total(survey, now));
              sections.put("parked", parked.result(), CellModel::parked);
              NodeMetrics metrics = callboard.admin().metrics();
              sections.put("messages", (ObjectNode) Json.tree(metrics.counts()));
              sections.put("commits", commits(metrics.commits()));
              sections.put("links", (ObjectNode) Json.tree(metrics.links()));
              sections.put("blobs", (ObjectNode) Json.tree(metrics.blobs()));
              sections.put(
                  "asks",
                  JsonNodeFactory.instance.objectNode().put("pending", metrics.asksPending()));
              return sections.all();
            });
  }

  /** Returns the scheduling zones of this node. */
  public List<JsonNode> zones() {
    return callboard.admin().zones().stream().map(ZoneRows::of).toList();
  }

  /** Completes with the hosts of jobs; a host that is silent, or gone, is not live. */
  public Future<List<JsonNode>> hosts(Jobs scheduler) {
    Future<List<JobHost>> hosts = scheduler.hosts();
    Future<List<Member>> members = callboard.members();
    Future<Reading<GridStatus>> grid = facts.grid();
    return Future.all(hosts, members, grid)
        .map(
            all -> {
              GridStatus status = grid.result().value();
              List<MissingNode> missing = status == null ? List.of() : status.missing();
              return hosts.result().stream()
                  .map(host -> host(host, members.result(), missing))
                  .toList();
            });
  }

  static JsonNode host(JobHost host, List<Member> members, List<MissingNode> missing) {
    Optional<Member> member =
        members.stream().filter(each -> each.name().equals(host.name())).findFirst();
    ObjectNode row =
        ((ObjectNode) Json.tree(host))
            .put("live", host.live() && !isMissing(host, missing))
            .put("draining", member.map(each -> Offer.of(each).draining()).orElse(false));
    Locality locality = member.map(Locality::of).orElse(Locality.UNKNOWN);
    if (!locality.machine().isEmpty()) {
      row.put("machine", locality.machine());
    }
    if (!locality.labels().isEmpty()) {
      row.set("labels", Json.tree(new TreeMap<>(locality.labels())));
    }
    member.flatMap(NodeVersion::of).ifPresent(version -> row.put("version", version));
    return row;
  }

  private static boolean isMissing(JobHost host, List<MissingNode> missing) {
    return missing.stream().anyMatch(node -> node.bootId().equals(host.boot()));
  }

  private static ObjectNode parked(List<ParkedMessage> parked) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("count", parked.size())
        .put("more", parked.size() >= FactsReader.MOST_PARKED);
  }

  private static ObjectNode members(List<Member> members) {
    ObjectNode section = JsonNodeFactory.instance.objectNode().put("count", members.size());
    ArrayNode list = section.putArray("items");
    members.stream()
        .sorted(Comparator.comparing(Member::name))
        .forEach(member -> list.add(Json.tree(member)));
    return section;
  }

  /** The toolkit's own actors are counted apart: they say nothing of the application. */
  private ObjectNode actors(MailSurvey mail, List<FailureZoneStatus> zones) {
    ActorCounts counts = callboard.admin().actorCounts();
    ObjectNode section =
        JsonNodeFactory.instance
            .objectNode()
            .put("count", sum(counts.application()))
            .put("queued", mail.queued())
            .put("restarts", callboard.admin().counts().restarts());
    section.set("byState", Json.tree(counts.application()));
    section.set("zones", Json.tree(byState(zones)));
    ObjectNode system = section.putObject("system").put("count", sum(counts.toolkit()));
    system.set("byState", Json.tree(counts.toolkit()));
    ArrayNode fullest = section.putArray("fullest");
    mail.fullest().stream()
        .filter(actor -> !ToolkitActors.isOne(actor))
        .limit(FULLEST)
        .forEach(
            actor ->
                fullest
                    .addObject()
                    .put("path", actor.path().toString())
                    .put("queued", waiting(actor)));
    return section;
  }

  private static long waiting(ActorStatus actor) {
    return actor.mailbox() == null ? actor.queued() : actor.mailbox().depth();
  }

  private static long sum(Map<ActorStatus.State, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the failure zones by state: a zone is no actor, and is counted apart. */
  private static Map<FailureZoneStatus.State, Long> byState(List<FailureZoneStatus> zones) {
    Map<FailureZoneStatus.State, Long> byState = new TreeMap<>();
    zones.forEach(zone -> byState.merge(zone.state(), 1L, Long::sum));
    return byState;
  }

  private static ObjectNode commits(CommitCounts counts) {
    ObjectNode section =
        JsonNodeFactory.instance
            .objectNode()
            .put("count", counts.latency().count())
            .put("units", counts.units())
            .put("operations", counts.operations())
            .put("bytes", counts.bytes())
            .put("unknown", counts.unknown())
            .put("renewals", counts.renewals())
            .put("heldBack", counts.heldBack())
            .put("waiting", counts.waiting());
    section.set("refused", Json.tree(counts.refused()));
    ObjectNode latency = section.putObject("latency");
    ObjectNode units = section.putObject("unitsPerCommit");
    QUANTILES.forEach(
        (name, share) -> {
          long nanos = Math.round(counts.latency().quantile(share) / 1_000) * 1_000;
          latency.put(name, Duration.ofNanos(nanos).toString());
          units.put(name, Math.round(counts.unitsPerCommit().quantile(share)));
        });
    return section;
  }

  private static ObjectNode jobs(JobCounts counts) {
    ObjectNode section =
        JsonNodeFactory.instance
            .objectNode()
            .put("count", counts.byState().values().stream().mapToLong(Long::longValue).sum())
            .put("ended", counts.ended());
    section.set("byState", Json.tree(counts.byState()));
    section.set("byType", Json.tree(counts.byType()));
    return section;
  }
}
