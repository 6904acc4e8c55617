package io.callboard.dashboard.internal.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.Callboard;
import io.callboard.admin.CallboardAdmin;
import io.callboard.admin.MailSurvey;
import io.callboard.codecs.Partition;
import io.callboard.dashboard.internal.attention.CachedReading;
import io.callboard.dashboard.internal.attention.Reading;
import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.Call;
import io.callboard.dashboard.internal.contract.Contract;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.callboard.dashboard.internal.contract.Problem;
import io.callboard.dashboard.internal.contract.Problem.Kind;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.dashboard.internal.metrics.PrometheusPage;
import io.callboard.dashboard.internal.model.ToolkitActors;
import io.callboard.grid.Grid;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.ArchiveStatus;
import io.callboard.pollers.Sources;
import io.callboard.pollers.model.SourceStatus;
import io.callboard.pollers.model.SourceView;
import io.callboard.store.Member;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.model.InstanceArchiveStatus;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Operations for monitoring: the contract itself, health and metrics. */
public final class RootApi {
  private static final long READY_WITHIN_SECONDS = 3;
  private static final int MOST_DETAILS = 20;

  /** Answer to a caller without a login in place of the details, which name paths and addresses. */
  private static final String NOT_TOLD = "the log of the node says why, and a login shows it here";

  private static final long SOURCES_WITHIN_SECONDS = 3;

  private final Contract contract;
  private final Callboard callboard;
  private final Grid grid;
  private final Optional<Jobs> jobs;
  private final Optional<Workflows> workflows;
  private final Optional<Sources> sources;
  private final Clock clock;
  private final CachedReading<MailSurvey> mail;

  public RootApi(
      Contract contract,
      Callboard callboard,
      Grid grid,
      Optional<Jobs> jobs,
      Optional<Workflows> workflows,
      Optional<Sources> sources,
      Clock clock) {
    this.contract = contract;
    this.callboard = callboard;
    this.grid = grid;
    this.jobs = jobs;
    this.workflows = workflows;
    this.sources = sources;
    this.clock = clock;
    this.mail = new CachedReading<>(Duration.ZERO, clock, () -> callboard.admin().mail());
  }

  /** Returns the handlers by the id of their operation. */
  public Map<String, Handler> handlers() {
    return Map.of(
        "getContract",
        call -> Future.succeededFuture(ApiResponse.bytes("application/json", contract.json())),
        "getHealth",
        call -> Future.succeededFuture(state("alive")),
        "getReadiness",
        this::readiness,
        "getMetrics",
        this::metrics);
  }

  private Future<ApiResponse> readiness(Call call) {
    boolean isKnown = call.caller().isKnown();
    return callboard
        .members()
        .timeout(READY_WITHIN_SECONDS, TimeUnit.SECONDS)
        .transform(
            members ->
                hindrance(members)
                    .map(why -> notReady(isKnown ? why : NOT_TOLD))
                    .orElseGet(() -> Future.succeededFuture(ready(isKnown))));
  }

  /** Returns why the node is not ready; empty if it is. */
  private Optional<String> hindrance(AsyncResult<List<Member>> members) {
    if (members.failed()) {
      return Optional.of("the cell cannot be read: " + members.cause().getMessage());
    }
    return isMember(members.result())
        ? callboard.admin().denied()
        : Optional.of("this node is not a member of its cell");
  }

  private boolean isMember(List<Member> members) {
    return members.stream()
        .anyMatch(
            member ->
                member.name().equals(callboard.node())
                    && member.bootId().equals(callboard.bootId()));
  }

  private static Future<ApiResponse> notReady(String why) {
    return Future.failedFuture(new ProblemException(Problem.of(Kind.UNAVAILABLE, why)));
  }

  private ApiResponse ready(boolean isKnown) {
    ObjectNode body = body("ready");
    degraded(body);
    if (!isKnown) {
      body.path("degraded").forEach(each -> ((ObjectNode) each).put("detail", NOT_TOLD));
    }
    return ApiResponse.ok(body);
  }

  /** Adds what does not work although the node serves: no other node could do it either. */
  private void degraded(ObjectNode body) {
    Map<Partition, String> leases = callboard.admin().unreadableLeases();
    if (!leases.isEmpty()) {
      ArrayNode degraded = body.put("unreadableLeases", leases.size()).putArray("degraded");
      leases.entrySet().stream()
          .limit(MOST_DETAILS)
          .forEach(
              each ->
                  degraded
                      .addObject()
                      .put("partition", each.getKey().toString())
                      .put("detail", "no node can own it: " + each.getValue()));
    }
    StarvedZones.report(callboard.admin().zones(), body);
    jobs.flatMap(Jobs::hostFault)
        .ifPresent(
            why ->
                body.withArray("degraded")
                    .addObject()
                    .put("host", callboard.node())
                    .put("detail", "it cannot start job runs: " + why));
    jobs.flatMap(Jobs::archive)
        .filter(archive -> archive.awaySince() != null)
        .ifPresent(
            archive ->
                body.withArray("degraded")
                    .addObject()
                    .put("archive", "jobs")
                    .put("detail", awayArchive(archive)));
    workflows
        .map(Workflows::archive)
        .filter(archive -> archive.awaySince() != null)
        .ifPresent(
            archive ->
                body.withArray("degraded")
                    .addObject()
                    .put("archive", "workflows")
                    .put("detail", awayArchive(archive)));
    ToolkitActors.reportDown(
        callboard.admin(),
        Stream.concat(jobs.stream().flatMap(all -> all.actors().stream()), grid.actors().stream())
            .toList(),
        body);
  }

  private static String awayArchive(ArchiveStatus archive) {
    Integer waiting = archive.waiting();
    return "ended jobs cannot be archived and removed since %s, and %d of them wait in ZooKeeper: %s"
        .formatted(
            archive.awaySince(), waiting == null ? archive.ended() : waiting, archive.cause());
  }

  private static String awayArchive(InstanceArchiveStatus archive) {
    return "ended workflow instances cannot be archived and removed since %s, and this node has %d of them in the cell: %s"
        .formatted(archive.awaySince(), archive.ended(), archive.cause());
  }

  private ApiResponse state(String state) {
    return ApiResponse.ok(body(state));
  }

  private ObjectNode body(String state) {
    return JsonNodeFactory.instance.objectNode().put("status", state).put("node", callboard.node());
  }

  /**
   * Answers from what is counted as it changes, and from the survey that all askers share; from the
   * last one, whose age is told, if the present one takes long.
   */
  private Future<ApiResponse> metrics(Call call) {
    CallboardAdmin admin = callboard.admin();
    Future<Reading<MailSurvey>> survey = mail.read();
    Future<Optional<List<SourceView>>> here = sourcesHere();
    return Future.all(survey, here)
        .map(
            all ->
                ApiResponse.text(
                    PrometheusPage.MEDIA_TYPE,
                    PrometheusPage.of(
                        admin.metrics(),
                        grid.counts(),
                        admin.denied().isPresent(),
                        admin.unreadableLeases().size(),
                        jobs.map(Jobs::counts),
                        jobs.flatMap(Jobs::archive),
                        workflows.map(Workflows::archive),
                        here.result(),
                        admin.actorCounts(),
                        admin.reporting(PrometheusPage.MOST_REPORTING),
                        Optional.ofNullable(survey.result().value()),
                        admin.zones(),
                        admin.failureZones(),
                        clock.instant())));
  }

  /**
   * Returns the sources that this node polls or that take requests here, and those that no node
   * answers for; empty if they cannot be asked in time.
   */
  private Future<Optional<List<SourceView>>> sourcesHere() {
    return sources
        .map(
            all ->
                all.list()
                    .timeout(SOURCES_WITHIN_SECONDS, TimeUnit.SECONDS)
                    .map(found -> Optional.of(found.stream().filter(this::isHere).toList()))
                    .otherwise(Optional.empty()))
        .orElseGet(() -> Future.succeededFuture(Optional.empty()));
  }

  private boolean isHere(SourceView source) {
    return callboard.node().equals(source.node())
        || source.status() == SourceStatus.ACCEPTING
        || source.status() == SourceStatus.ABSENT;
  }
}
