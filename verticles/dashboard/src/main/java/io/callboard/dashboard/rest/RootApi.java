package io.callboard.dashboard.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.Callboard;
import io.callboard.dashboard.contract.Call;
import io.callboard.dashboard.contract.Contract;
import io.callboard.dashboard.contract.ContractRouter.Handler;
import io.callboard.dashboard.contract.Problem;
import io.callboard.dashboard.contract.Problem.Kind;
import io.callboard.dashboard.contract.ProblemException;
import io.callboard.dashboard.contract.Reply;
import io.callboard.dashboard.model.MetricsText;
import io.callboard.jobs.Jobs;
import io.callboard.store.Member;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The contract itself, health and metrics: for machines that watch the node. */
public final class RootApi {
  private static final long READY_WITHIN_SECONDS = 3;

  private final Contract contract;
  private final Callboard callboard;
  private final Jobs jobs;
  private final Clock clock;

  public RootApi(Contract contract, Callboard callboard, Jobs jobs, Clock clock) {
    this.contract = contract;
    this.callboard = callboard;
    this.jobs = jobs;
    this.clock = clock;
  }

  /** By the id of their operation. */
  public Map<String, Handler> handlers() {
    return Map.of(
        "getContract",
        call -> Future.succeededFuture(Reply.bytes("application/json", contract.json())),
        "getHealth",
        call -> Future.succeededFuture(state("alive")),
        "getReadiness",
        this::readiness,
        "getMetrics",
        this::metrics);
  }

  private Future<Reply> readiness(Call call) {
    return callboard
        .members()
        .timeout(READY_WITHIN_SECONDS, TimeUnit.SECONDS)
        .transform(
            members ->
                members.failed()
                    ? notReady("the cell cannot be read: " + members.cause().getMessage())
                    : isMember(members.result())
                        ? callboard
                            .denied()
                            .map(RootApi::notReady)
                            .orElseGet(() -> Future.succeededFuture(state("ready")))
                        : notReady("this node is no member of its cell"));
  }

  private boolean isMember(List<Member> members) {
    return members.stream()
        .anyMatch(
            member ->
                member.name().equals(callboard.node())
                    && member.bootId().equals(callboard.bootId()));
  }

  private static Future<Reply> notReady(String why) {
    return Future.failedFuture(new ProblemException(Problem.of(Kind.UNAVAILABLE, why)));
  }

  private Reply state(String state) {
    return Reply.ok(
        JsonNodeFactory.instance.objectNode().put("status", state).put("node", callboard.node()));
  }

  private Future<Reply> metrics(Call call) {
    return callboard
        .running()
        .map(
            actors ->
                Reply.text(
                    MetricsText.MEDIA_TYPE,
                    MetricsText.of(
                        callboard.metrics(),
                        callboard.denied().isPresent(),
                        jobs.counts(),
                        actors,
                        callboard.zones(),
                        clock.instant())));
  }
}
