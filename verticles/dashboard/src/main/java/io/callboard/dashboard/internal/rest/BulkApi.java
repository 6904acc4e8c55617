package io.callboard.dashboard.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.audit.AuditDetail;
import io.callboard.dashboard.internal.audit.Reason;
import io.callboard.dashboard.internal.bulk.BulkAction;
import io.callboard.dashboard.internal.bulk.BulkFilter;
import io.callboard.dashboard.internal.bulk.BulkKind;
import io.callboard.dashboard.internal.bulk.BulkPeers;
import io.callboard.dashboard.internal.bulk.BulkRuns;
import io.callboard.dashboard.internal.bulk.BulkRuns.Order;
import io.callboard.dashboard.internal.bulk.BulkScope;
import io.callboard.dashboard.internal.bulk.BulkStatus;
import io.callboard.dashboard.internal.bulk.Selection;
import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.Call;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.callboard.dashboard.internal.contract.Fault;
import io.callboard.dashboard.internal.contract.IsoText;
import io.callboard.dashboard.internal.contract.Problem;
import io.callboard.dashboard.internal.contract.Problem.Kind;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.dashboard.internal.contract.Problems;
import io.callboard.dashboard.internal.guard.OperationGuard;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Operations on many items of one kind at once.
 *
 * @param <S> states that an item can be in
 * @param <A> actions
 */
public final class BulkApi<S extends Enum<S>, A extends BulkAction<S>> {
  private static final Logger log = LoggerFactory.getLogger(BulkApi.class);
  private static final long FOUND_WITHIN_MS = 10_000;

  private final BulkKind<S, A> kind;
  private final Selection<S, A> selection;
  private final BulkRuns runs;
  private final BulkPeers peers;

  /** Creates the operations. */
  public BulkApi(BulkKind<S, A> kind, BulkRuns runs, BulkPeers peers) {
    this.peers = peers;
    this.kind = kind;
    this.selection = new Selection<>(kind);
    this.runs = runs;
  }

  /**
   * Returns the handlers by the id of their operation.
   *
   * @param name name of the kind in these ids
   */
  public Map<String, Handler> handlers(String name) {
    return Map.of(
        "get%sActionExtent".formatted(name),
        this::extent,
        "start%sAction".formatted(name),
        this::start,
        "list%sActions".formatted(name),
        call -> list(),
        "stop%sAction".formatted(name),
        this::stop);
  }

  /** Lists the runs of this node, and then those of nodes that are gone. */
  private Future<ApiResponse> list() {
    return peers
        .gone(kind.many())
        .otherwise(List.of()) // it cannot be read who is gone: its own runs are known
        .map(
            gone -> {
              List<BulkStatus> all = new ArrayList<>(runs.last());
              all.addAll(gone);
              return Items.reply(all);
            });
  }

  private Future<ApiResponse> extent(Call call) {
    BulkFilter filter = new BulkFilter(given(call::optionalText), null);
    return selection
        .find(kind.action(call.text("action")), filter, Selection.MOST)
        .recover(BulkApi::malformed)
        .map(BulkApi::reply);
  }

  private static ApiResponse reply(BulkScope<?> extent) {
    ObjectNode body = (ObjectNode) Json.tree(extent);
    JsonNode unused = body.remove("ids"); // the filter finds them again
    return ApiResponse.ok(body.put("matched", extent.ids().size()));
  }

  /** Returns the fields of a filter that have a value. */
  private Map<String, String> given(Value value) {
    Map<String, String> given = new LinkedHashMap<>();
    for (String name : kind.fields()) {
      String text = value.of(name);
      if (text != null) {
        given.put(name, text);
      }
    }
    return given;
  }

  /** Value of a field of a request; null if it is missing. */
  @FunctionalInterface
  private interface Value {
    @Nullable String of(String name);
  }

  private Future<ApiResponse> start(Call call) {
    A action = kind.action(call.text("action"));
    OperationGuard.require(
        call.caller(), action.role(), "to %s %s".formatted(action.word(), kind.many()));
    JsonNode body = call.body();
    if (body.has("ids") == body.has("filter")) {
      throw ProblemException.invalid(
          "/filter",
          "give either the ids of the %s or a filter, {} for all of them".formatted(kind.many()));
    }
    if (body.has("ids")) {
      Set<String> ids = new LinkedHashSet<>();
      body.path("ids").forEach(id -> ids.add(id.asText()));
      note(call, ids.size(), AuditDetail.ids(List.copyOf(ids)));
      return Future.succeededFuture(
          started(order(call, action, action.possible(), null), List.copyOf(ids)));
    }
    JsonNode fields = body.path("filter");
    String until = text(fields, "createdUntil");
    BulkFilter filter =
        new BulkFilter(
            given(name -> text(fields, name)), until == null ? null : IsoText.time(until));
    int limit = body.path("limit").asInt(Selection.MOST);
    String which = "of %s, at most %d".formatted(filter.words(), limit);
    AuditDetail.put(call.context(), kind.many() + " " + which);
    return selection
        .find(action, filter, limit)
        .timeout(FOUND_WITHIN_MS, TimeUnit.MILLISECONDS) // before the request has its answer
        .recover(BulkApi::ofBody)
        .map(
            extent -> {
              log.info(
                  "{} are selected by {}: {}", kind.many(), filter.words(), extent.ids().size());
              note(call, extent.ids().size(), which);
              String state = filter.state();
              List<S> meant = action.meant(state == null ? null : kind.state(state));
              return started(order(call, action, meant, extent.incomplete()), extent.ids());
            });
  }

  /** Notes for the audit which items are meant, and how many. */
  private void note(Call call, int items, String which) {
    AuditDetail.put(
        call.context(),
        "%d %s %s, %s a second"
            .formatted(
                items,
                items == 1 ? kind.one() : kind.many(),
                which,
                call.body().path("ratePerSecond").asText()));
  }

  /**
   * Returns what is to be done.
   *
   * @param meant states of the items that are meant; an item that has left them is left alone
   */
  private Order order(Call call, A action, List<S> meant, @Nullable String incomplete) {
    return new Order(
        action.word(),
        id -> kind.act(action, id, meant),
        call.client(),
        Reason.of(call.context().request().getHeader(Reason.HEADER)),
        call.body().path("ratePerSecond").asDouble(),
        incomplete);
  }

  /** Reports what is wrong with the filter as a fault of the query. */
  private static <T> Future<T> malformed(Throwable cause) {
    List<Fault> faults = faults(cause, place -> place);
    return Future.failedFuture(faults.isEmpty() ? cause : ProblemException.malformed(faults));
  }

  /** Reports what is wrong with the filter as a fault of the body. */
  private static <T> Future<T> ofBody(Throwable cause) {
    List<Fault> faults = faults(cause, place -> "/filter" + place);
    return Future.failedFuture(faults.isEmpty() ? cause : ProblemException.invalid(faults));
  }

  /** Returns what is wrong with the filter, with its place; empty if something else is. */
  private static List<Fault> faults(Throwable cause, UnaryOperator<String> place) {
    Problem problem = Problems.of(cause);
    if (problem.kind() != Kind.INVALID) {
      return List.of();
    }
    List<Fault> faults =
        problem.errors().isEmpty() ? List.of(new Fault("", problem.detail())) : problem.errors();
    return faults.stream()
        .map(fault -> new Fault(place.apply(fault.pointer()), fault.detail(), fault.code()))
        .toList();
  }

  private ApiResponse started(Order order, List<String> ids) {
    return ApiResponse.accepted(Json.tree(runs.start(order, ids)));
  }

  private static @Nullable String text(JsonNode object, String field) {
    return object.has(field) ? object.get(field).asText() : null;
  }

  private Future<ApiResponse> stop(Call call) {
    return runs.stop("it was stopped by " + call.client())
        .map(status -> Future.succeededFuture(ApiResponse.accepted(Json.tree(status))))
        .orElseGet(
            () ->
                Future.failedFuture(
                    ProblemException.notFound(
                        "this node has no action on many %s under way".formatted(kind.many()))));
  }
}
