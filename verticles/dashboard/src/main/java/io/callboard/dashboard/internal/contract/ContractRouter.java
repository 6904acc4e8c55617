package io.callboard.dashboard.internal.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.callboard.dashboard.internal.contract.Contract.Operation;
import io.callboard.dashboard.internal.contract.Contract.Parameter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Routes the operations of the contract to their handlers, and checks each request against its
 * operation first.
 *
 * <p>The routes are not made by Vert.x's {@code RouterBuilder}, because actor paths contain
 * slashes, which its path parameters cannot, and because its validation names neither the wrong
 * field nor a correct value.
 */
public final class ContractRouter {
  /** Maximum size of a request body, in bytes, of operations that say no other. */
  public static final int BODY_LIMIT = 256 * 1024;

  private static final long ANSWER_WITHIN_SECONDS = 15;

  private final Contract contract;
  private final Gate gate;
  private final Router router;

  /** Handler of an operation; may throw or fail with anything that {@link Problems} knows. */
  @FunctionalInterface
  public interface Handler {
    Future<ApiResponse> handle(Call call);
  }

  /** Check whether a caller may use an operation, before the body is read. */
  @FunctionalInterface
  public interface Gate {
    /** Checks that the caller may use the operation; throws a {@link ProblemException} if not. */
    void check(Operation operation, RoutingContext context);
  }

  private ContractRouter(Contract contract, Gate gate, Router router) {
    this.contract = contract;
    this.gate = gate;
    this.router = router;
  }

  /**
   * Returns the router.
   *
   * @param gate is asked before each operation
   * @param handlers handlers by the id of their operation
   * @throws IllegalStateException if an operation has no handler, or a handler no operation
   */
  public static Router create(
      Vertx vertx, Contract contract, Gate gate, Map<String, Handler> handlers) {
    TreeSet<String> missing =
        new TreeSet<>(contract.operations().stream().map(Operation::id).toList());
    missing.removeAll(handlers.keySet());
    TreeSet<String> unknown = new TreeSet<>(handlers.keySet());
    contract.operations().forEach(operation -> unknown.remove(operation.id()));
    if (!missing.isEmpty() || !unknown.isEmpty()) {
      throw new IllegalStateException(
          "the contract has operations without a handler: %s; handlers without an operation: %s"
              .formatted(missing, unknown));
    }
    ContractRouter routes = new ContractRouter(contract, gate, Router.router(vertx));
    for (Operation operation : contract.operations()) {
      Handler handler = handlers.get(operation.id());
      if (handler != null) {
        routes.add(operation, handler);
      }
    }
    routes.refuseOtherMethods();
    return routes.router;
  }

  private void add(Operation operation, Handler handler) {
    Route route = router.routeWithRegex(regex(operation)).method(operation.method());
    if (operation.method().equals(HttpMethod.GET)) {
      route.method(HttpMethod.HEAD).handler(context -> admit(operation, context));
    } else {
      // a route of its own, since Vert.x requires the body handler to be the first of a route
      route.handler(context -> admit(operation, context)).failureHandler(Problems::write);
      route = router.routeWithRegex(regex(operation)).method(operation.method());
      route.handler(context -> Problems.reading(context, operation.bodyLimit()));
      route = router.routeWithRegex(regex(operation)).method(operation.method());
      route.handler(BodyHandler.create(false).setBodyLimit(operation.bodyLimit()));
      route.handler(Problems::read);
    }
    route.handler(context -> serve(operation, handler, context)).failureHandler(Problems::write);
  }

  /** Refuses other methods of a known path, naming those that it has. */
  private void refuseOtherMethods() {
    Map<String, TreeSet<String>> methods = new TreeMap<>();
    for (Operation operation : contract.operations()) {
      TreeSet<String> allowed = methods.computeIfAbsent(regex(operation), regex -> new TreeSet<>());
      allowed.add(operation.method().name());
      if (operation.method().equals(HttpMethod.GET)) {
        allowed.add("HEAD");
      }
    }
    methods.forEach(
        (regex, allowed) ->
            router
                .routeWithRegex(regex)
                .handler(context -> Problems.writeNotAllowed(context, String.join(", ", allowed))));
  }

  private static String regex(Operation operation) {
    StringBuilder regex = new StringBuilder(Pattern.quote(operation.base()));
    for (String segment : operation.path().substring(1).split("/", -1)) {
      regex.append('/');
      if (segment.startsWith("{")) {
        String name = segment.substring(1, segment.length() - 1);
        boolean slashes =
            operation.parameters().stream()
                .anyMatch(parameter -> parameter.name().equals(name) && parameter.slashes());
        regex.append("(?<%s>%s)".formatted(name, slashes ? ".+" : "[^/]+"));
      } else {
        regex.append(Pattern.quote(segment));
      }
    }
    return regex.toString();
  }

  private void admit(Operation operation, RoutingContext context) {
    gate.check(operation, context);
    if (operation.isWrite()) {
      checkMediaType(operation, context);
    }
    context.next();
  }

  /**
   * Checks the media type of a write, also of one without a body: a page of another origin cannot
   * send it unasked.
   */
  private static void checkMediaType(Operation operation, RoutingContext context) {
    String type = context.request().getHeader("Content-Type");
    String media = type == null ? "" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    if (type == null || !operation.mediaTypes().contains(media) || !isUtf8(type)) {
      throw ProblemException.unsupported(operation.mediaTypes(), type == null ? "" : type);
    }
  }

  /** Returns whether a media type allows UTF-8, the only charset of JSON. */
  private static boolean isUtf8(String type) {
    String parameters = type.toLowerCase(Locale.ROOT).replaceAll("[\\s\"]", "") + ";";
    return !parameters.contains(";charset=") || parameters.contains(";charset=utf-8;");
  }

  private void serve(Operation operation, Handler handler, RoutingContext context) {
    Map<String, String> path = new LinkedHashMap<>();
    for (Parameter parameter : operation.parameters()) {
      String value = context.pathParam(parameter.name());
      if (parameter.in().equals("path") && value != null) {
        path.put(parameter.name(), value);
      }
    }
    Map<String, JsonNode> parameters =
        ParameterCheck.check(
            contract, operation, path, context.queryParams(), context.request().headers());
    Call call = new Call(context, parameters, body(operation, context));
    handler
        .handle(call)
        .timeout(ANSWER_WITHIN_SECONDS, TimeUnit.SECONDS)
        .onSuccess(reply -> write(context, reply))
        .onFailure(context::fail);
  }

  private JsonNode body(Operation operation, RoutingContext context) {
    if (operation.raw()) {
      return MissingNode.getInstance();
    }
    byte[] bytes =
        context.body().buffer() == null ? new byte[0] : context.body().buffer().getBytes();
    JsonNode schema = operation.body();
    if (schema == null) {
      JsonNode given = bytes.length == 0 ? null : JsonBody.parse(bytes);
      if (given != null && !(given.isObject() && given.isEmpty())) {
        throw ProblemException.invalid("", "this operation takes no body");
      }
      return MissingNode.getInstance();
    }
    if (bytes.length == 0 && !operation.bodyRequired()) {
      return MissingNode.getInstance();
    }
    JsonNode body = JsonBody.parse(bytes);
    List<Fault> faults = SchemaCheck.check(contract.tree(), schema, body, "");
    if (!faults.isEmpty()) {
      throw ProblemException.invalid(faults);
    }
    return body;
  }

  private static void write(RoutingContext context, ApiResponse reply) {
    HttpServerResponse response = context.response();
    if (reply.status() == 0 || response.ended() || response.closed()) {
      return;
    }
    response.setStatusCode(reply.status());
    reply.headers().forEach(response::putHeader);
    String tag = reply.headers().get("ETag");
    boolean reads = List.of(HttpMethod.GET, HttpMethod.HEAD).contains(context.request().method());
    if (reads
        && tag != null
        && EntityTags.match(context.request().getHeader("If-None-Match"), tag)) {
      response.setStatusCode(304).end();
    } else {
      response.end(reply.body());
    }
  }
}
