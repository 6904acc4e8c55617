package io.callboard.dashboard.internal.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.Call;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.callboard.dashboard.internal.search.Search;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** Operation that searches all kinds of things. */
public final class SearchApi {
  private final Search search;

  /** Creates the operation. */
  public SearchApi(Search search) {
    this.search = search;
  }

  /** Returns the handler by the id of its operation. */
  public Map<String, Handler> handlers() {
    return Map.of("search", this::find);
  }

  private Future<ApiResponse> find(Call call) {
    return search.find(call.text("q"), call.number("limit")).map(SearchApi::reply);
  }

  private static ApiResponse reply(List<Search.Group> groups) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    ArrayNode list = body.putArray("groups");
    for (Search.Group group : groups) {
      ObjectNode each = list.addObject().put("kind", group.kind().name());
      each.set("items", Json.tree(group.found().items()));
      each.put("more", group.found().more());
      if (group.found().incomplete() != null) {
        each.put("incomplete", group.found().incomplete());
      }
    }
    return ApiResponse.ok(body);
  }
}
