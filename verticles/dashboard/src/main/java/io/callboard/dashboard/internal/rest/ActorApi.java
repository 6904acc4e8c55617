package io.callboard.dashboard.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.codecs.ActorPath;
import io.callboard.dashboard.internal.audit.AuditDetail;
import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.Call;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.callboard.dashboard.internal.contract.Problem;
import io.callboard.dashboard.internal.contract.Problem.Kind;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.dashboard.internal.model.ActorRows;
import io.callboard.dashboard.internal.model.CellActors;
import io.callboard.dashboard.internal.model.SupervisionRows;
import io.callboard.dashboard.internal.model.ToolkitActors;
import io.callboard.journal.ReplayException;
import io.callboard.store.StoredActor;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.Intensity;
import io.callboard.supervision.LimitAction;
import io.callboard.supervision.Strategy;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Operations on actors and failure zones. */
public final class ActorApi {
  private static final Logger log = LoggerFactory.getLogger(ActorApi.class);
  private static final String RESUME = "resume";

  private final Callboard callboard;
  private final ActorRows actors;
  private final SupervisionRows supervision;
  private final CellActors cell;
  private final RemoteActorApi there;

  /** Creates the operations. */
  public ActorApi(
      Callboard callboard, ActorRows actors, SupervisionRows supervision, CellActors cell) {
    this.callboard = callboard;
    this.actors = actors;
    this.supervision = supervision;
    this.cell = cell;
    this.there = new RemoteActorApi(callboard);
  }

  /** Returns the handlers by the id of their operation. */
  public Map<String, Handler> handlers() {
    return Map.of(
        "listActors", this::list,
        "getActor", this::get,
        "restartActor", call -> act(call, "restart", callboard.admin()::restart),
        "stopActor", call -> act(call, "stop", this::stop),
        "resumeActor", call -> act(call, RESUME, callboard.admin()::resume),
        "changePolicy", this::changePolicy,
        "refoldActor", this::refold,
        "restoreActor", this::restore);
  }

  private Future<ApiResponse> refold(Call call) {
    String why = why(call);
    return redo(call, "refold" + because(why), path -> callboard.admin().refold(path, why));
  }

  private Future<ApiResponse> restore(Call call) {
    String why = why(call);
    long event = call.body().path("event").asLong();
    return redo(
        call,
        "restore to event %d%s".formatted(event, because(why)),
        path -> callboard.admin().restore(path, event, why));
  }

  /** Returns the stated reason in one line, as it is logged. */
  private static String why(Call call) {
    return call.body().path("why").asText("").replaceAll("[\\p{Cc}\\p{Zl}\\p{Zp}]+", " ");
  }

  private static String because(String why) {
    return why.isEmpty() ? "" : ", because \"%s\"".formatted(why);
  }

  /** Answers when it is durable. */
  private Future<ApiResponse> redo(Call call, String what, Function<String, Future<Void>> action) {
    AuditDetail.put(call.context(), what);
    return acted(
            call,
            what,
            path -> action.apply(path).recover(cause -> Future.failedFuture(refused(cause))))
        .map(ApiResponse::ok);
  }

  private static Throwable refused(Throwable cause) {
    if (cause instanceof ReplayException) {
      return new ProblemException(
          Problem.of(Kind.ILLEGAL_STATE, String.valueOf(cause.getMessage())));
    } else if (cause instanceof CallboardException ours) {
      String detail = String.valueOf(ours.getMessage());
      return switch (ours.code()) {
        case PAYLOAD_TOO_LARGE -> new ProblemException(Problem.of(Kind.ILLEGAL_STATE, detail));
        case BAD_MESSAGE -> new ProblemException(Problem.of(Kind.NO_EVENTS, detail));
        default -> cause;
      };
    }
    return cause;
  }

  /** Changes what the body names of a policy; its rules, which are code, always stay. */
  private Future<ApiResponse> changePolicy(Call call) {
    ActorPath path = CellApi.path("/path", call.text("path"));
    FailureZone now =
        callboard.admin().failureZones().stream()
            .filter(zone -> zone.path().equals(path))
            .findFirst()
            .orElseThrow(
                () -> ProblemException.notFound("there is no failure zone " + path + " here"))
            .policy();
    FailureZone next = changed(now, call.body());
    log.info(
        "the policy of failure zone {} is changed to {}, requested over REST from {}",
        path,
        next,
        call.context().request().remoteAddress());
    return callboard
        .admin()
        .changePolicy(path.toString(), next)
        .compose(done -> row(path))
        .map(row -> ApiResponse.ok(row.orElseThrow(() -> notFound(path))));
  }

  private static FailureZone changed(FailureZone now, JsonNode body) {
    Intensity limit = now.intensity();
    try {
      return now.strategy(Strategy.valueOf(body.path("strategy").asText(now.strategy().name())))
          .whenOver(LimitAction.valueOf(body.path("whenOver").asText(now.whenOver().name())))
          .intensity(
              body.path("restarts").asInt(limit.restarts()),
              Duration.parse(body.path("window").asText(limit.window().toString())));
    } catch (DateTimeParseException e) {
      throw ProblemException.invalid(
          "/window",
          "\"%s\" is not an ISO 8601 duration: give one such as PT2M"
              .formatted(body.path("window").asText()));
    } catch (IllegalArgumentException e) {
      throw ProblemException.invalid("/window", String.valueOf(e.getMessage()));
    }
  }

  private Future<ApiResponse> list(Call call) {
    String prefix = call.optionalText("prefix");
    String state = call.optionalText("state");
    int limit = call.number("limit");
    ActorPath within =
        prefix == null || prefix.equals("/") ? null : CellApi.path("/prefix", prefix);
    String system = call.optionalText("system");
    return actors
        .list(
            new ActorRows.Query(
                within,
                state == null ? null : ActorStatus.State.valueOf(state),
                system == null ? null : Boolean.valueOf(system),
                limit))
        .map(page -> ApiResponse.ok(listed(page, supervision.zones(within, state), limit)));
  }

  private static ObjectNode listed(ActorRows.Page page, List<ObjectNode> zones, int limit) {
    ObjectNode body = Items.object(page.rows());
    ArrayNode list = body.putArray("zones");
    zones.stream().limit(limit).forEach(list::add);
    return body.put("truncated", page.truncated() || zones.size() > limit);
  }

  private Future<ApiResponse> get(Call call) {
    ActorPath path = CellApi.path("/path", call.text("path"));
    return cell.one(path, call.optionalText("node"))
        .map(found -> ApiResponse.ok(found.orElseThrow(() -> notFound(path))));
  }

  private static ProblemException notFound(ActorPath path) {
    return ProblemException.notFound("there is no actor " + path + ", nor a failure zone");
  }

  /**
   * Stops an actor, except the toolkit's own, which are needed: without the gate, no job of the
   * cell is started.
   */
  private Future<Void> stop(String path) {
    Optional<ActorStatus> here = callboard.admin().running(ActorPath.of(path));
    return here.isPresent() && ToolkitActors.isOne(here.get())
        ? Future.failedFuture(RemoteActorApi.needed(path, here.get().state().name()))
        : callboard.admin().suspend(path);
  }

  /** Answers with how it is then: what was asked for is done a little later. */
  private Future<ApiResponse> act(Call call, String what, Function<String, Future<Void>> action) {
    String node = call.optionalText("node");
    if (node == null || node.equals(callboard.node())) {
      return acted(call, what, action).map(ApiResponse::accepted);
    }
    ActorPath path = CellApi.path("/path", call.text("path"));
    log.info(
        "{} of {} on node {} requested over REST from {}",
        what,
        path,
        node,
        call.context().request().remoteAddress());
    return there.act(node, what, path).map(ApiResponse::accepted);
  }

  private Future<ObjectNode> acted(Call call, String what, Function<String, Future<Void>> action) {
    ActorPath path = CellApi.path("/path", call.text("path"));
    return toActOn(path, what.equals(RESUME))
        .compose(here -> action.apply(path.toString()))
        .compose(
            done -> {
              log.info(
                  "{} of {} requested over REST from {}",
                  what,
                  path,
                  call.context().request().remoteAddress());
              return row(path);
            })
        .map(row -> row.orElseThrow(() -> notFound(path)));
  }

  /**
   * Fails if there is neither a zone of this node nor an actor that this node runs.
   *
   * @param resumes whether the actor may also be one that this node would run if it were not
   *     stopped
   */
  private Future<Void> toActOn(ActorPath path, boolean resumes) {
    if (supervision.zone(path).isPresent()) {
      return Future.succeededFuture();
    }
    Optional<ActorStatus> here = callboard.admin().running(path);
    return here.isPresent() && here.get().state() != State.ELSEWHERE
        ? Future.succeededFuture()
        : callboard
            .admin()
            .stored(path.toString())
            .compose(
                stored ->
                    here.isEmpty() && stored.isEmpty()
                        ? Future.failedFuture(notFound(path))
                        : notHere(path, stored.filter(ActorApi::isStopped), resumes));
  }

  private static boolean isStopped(StoredActor stored) {
    return stored.record().stopped();
  }

  /** Returns a failure that names the node on which the actor runs, if that is known. */
  private Future<Void> notHere(ActorPath path, Optional<StoredActor> stopped, boolean resumes) {
    return callboard
        .admin()
        .owner(path.toString())
        .compose(
            owner -> {
              boolean passive = owner.isEmpty() || owner.get().equals(callboard.node());
              if (passive && stopped.isPresent() && resumes) {
                return Future.succeededFuture();
              }
              String detail =
                  !passive
                      ? "actor %s is owned by node %s: send the request to that node"
                          .formatted(path, owner.get())
                      : stopped.isPresent()
                          ? "actor %s was stopped by an operator: resume it".formatted(path)
                          : "actor %s is not running: its next message starts it on a node that spawns or hosts it"
                              .formatted(path);
              State state =
                  !passive
                      ? State.ELSEWHERE
                      : stopped.isPresent() ? State.STOPPED : State.PASSIVATED;
              return Future.failedFuture(
                  new ProblemException(
                      new Problem(Kind.ILLEGAL_STATE, detail, List.of(), state.name())));
            });
  }

  private Future<Optional<ObjectNode>> row(ActorPath path) {
    Optional<ObjectNode> zone = supervision.zone(path);
    return Future.succeededFuture(
        zone.isPresent() ? zone : callboard.admin().running(path).map(actors::row));
  }
}
