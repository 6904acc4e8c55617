package io.callboard.dashboard;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.contract.Contract;
import io.callboard.dashboard.internal.contract.Contract.Operation;
import io.callboard.dashboard.internal.contract.Contract.Parameter;
import io.callboard.dashboard.internal.contract.ResponseCheck;
import io.callboard.dashboard.internal.contract.Samples;
import io.callboard.testkit.Eventually;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every operation of the contract with invalid and hostile input, all made from the document: no
 * answer is a failure of the node, and each is as the document says. For valid input see {@link
 * ValidInputTest}.
 */
@Tag("real")
class OperationsTest {
  private static final int AT_ONCE = 8;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String JSON = "application/json";

  /** Values that are no harmless segment of a path, as they are written in an address. */
  private static final List<String> SEGMENTS =
      List.of(
          "..",
          ".",
          "%2e%2e",
          "..%2f..%2fetc%2fpasswd",
          "a%2Fb",
          "%2F",
          "%5c",
          "%00",
          "%ff%fe",
          "%",
          "%zz",
          "%20",
          "%0d%0aX-Evil:%20y",
          "%C3%A9",
          "%F0%9F%92%A9",
          "-1",
          "99999999999999999999",
          "null",
          "%22%3Cscript%3E",
          "a;b=c",
          "a+b",
          "x".repeat(3_000));

  /** Values of parameters in the query, as they are written in an address. */
  private static final List<String> VALUES =
      List.of(
          "",
          "abc",
          "-1",
          "0",
          "1.5",
          "1e9",
          "99999999999999999999999",
          "-99999999999999999999999",
          "maybe",
          "%00",
          "%ff",
          "%zz",
          "%",
          "..%2f..",
          "%25",
          "_%25",
          "'%20or%201=1--",
          "00000000-0000-0000-0000-000000000000",
          "2026-13-45T99:00:00Z",
          "x".repeat(5_000));

  /** Values of parameters in headers. */
  private static final List<String> HEADERS =
      List.of(
          "",
          " ",
          "*",
          "\"",
          "W/\"x\"",
          "\"a\", \"b",
          ",,,,",
          "bytes=5-1",
          "bytes=-0",
          "bytes=-99999999999999999999",
          "bytes=0-0,2-3",
          "bytes=999999999999999-",
          "items=1-2",
          "\u00e9",
          "x".repeat(3_000));

  @TempDir static Path data;

  private static final Contract CONTRACT = Contract.read();
  private static TestNode node;
  private static HttpClient client;
  private static String job;
  private static String workflow;

  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private final ResponseCheck check = new ResponseCheck(CONTRACT);
  private final Samples samples = new Samples(CONTRACT);
  private final Queue<Request> requests = new ArrayDeque<>();
  private final AtomicInteger answered = new AtomicInteger();
  private int sent;

  /**
   * Request to an operation.
   *
   * @param operation the operation
   * @param method method, usually that of the operation
   * @param target path and query, as written
   * @param headers headers
   * @param body body; null for none
   * @param status status that the answer must have; 0 for any that the document allows
   * @param pointer place that an error must name; null for any
   * @param what what is wrong with it
   */
  private record Request(
      Operation operation,
      HttpMethod method,
      String target,
      Map<String, String> headers,
      @Nullable Buffer body,
      int status,
      @Nullable String pointer,
      String what) {}

  @BeforeEach
  void submit() {
    job = TestNode.json(node.post("/api/v1/jobs", "{\"command\":[\"true\"]}")).path("id").asText();
    assertThat(
            node.put(
                    "/api/v1/workflow-definitions/etl",
                    "application/yaml",
                    "{name: etl, steps: {a: {run: 'handler:nobody'}, b: {run: 'handler:nobody',"
                        + " after: {a: success}}}}")
                .statusCode())
        .isIn(200, 201);
    workflow =
        TestNode.json(node.post("/api/v1/workflows", "{\"definition\":\"etl\"}"))
            .path("id")
            .asText();
  }

  @BeforeAll
  static void start() throws IOException {
    JsonObject sources = SourceApiTest.configured(SourceApiTest.directory(data));
    node = TestNode.withSources(data, TestNode.options(), sources);
    client =
        node.vertx.createHttpClient(
            new HttpClientOptions().setDefaultPort(node.front.port()),
            new PoolOptions().setHttp1MaxSize(AT_ONCE));
  }

  @AfterAll
  static void stop() {
    await(client.close());
    node.close();
  }

  private static String value(Operation operation, Parameter parameter) {
    return switch (parameter.name()) {
      case "id" ->
          operation.path().startsWith("/jobs")
              ? job
              : operation.path().startsWith("/workflows") ? workflow : "no-such";
      case "action" -> operation.path().startsWith("/workflow-actions") ? "cancel" : "hold";
      case "name" -> "etl";
      case "t" -> "etl";
      case "s" -> "inbox";
      case "label" -> "db=acme";
      case "path" -> "no/such";
      default -> "no-such";
    };
  }

  /** Returns the path of an operation with valid values, but for one parameter. */
  private static String path(Operation operation, @Nullable String name, String other) {
    String path = operation.base() + operation.path();
    for (Parameter parameter : operation.parameters()) {
      if (parameter.in().equals("path")) {
        String value = parameter.name().equals(name) ? other : value(operation, parameter);
        path = path.replace("{" + parameter.name() + "}", value);
      }
    }
    return path;
  }

  private static String path(Operation operation) {
    return path(operation, null, "");
  }

  private @Nullable Buffer body(Operation operation) {
    return operation.body() == null ? null : buffer(samples.valid(operation.body(), false));
  }

  private static Buffer buffer(JsonNode value) {
    return Buffer.buffer(Json.uncheckedBytes(value));
  }

  private void add(Operation operation, String target, String what) {
    add(operation, operation.method(), target, Map.of(), body(operation), 0, null, what);
  }

  private void add(
      Operation operation,
      HttpMethod method,
      String target,
      Map<String, String> headers,
      @Nullable Buffer body,
      int status,
      @Nullable String pointer,
      String what) {
    requests.add(new Request(operation, method, target, headers, body, status, pointer, what));
  }

  /** Sends all that was added, some at a time, and collects what is wrong with the answers. */
  private void sendAll() {
    sent = requests.size();
    Promise<Void> done = Promise.promise();
    node.vertx.runOnContext( // or a body may come before there is a handler for it
        v -> {
          List<Future<Void>> lanes = new ArrayList<>();
          for (int i = 0; i < AT_ONCE; i++) {
            lanes.add(next());
          }
          Future.join(lanes).<Void>mapEmpty().onComplete(done);
        });
    while (!done.future().isComplete()) { // however long all take, some are always answered
      int before = answered.get();
      Eventually.isTrue(
          PATIENCE.multipliedBy(2),
          "further answers than %d of %d".formatted(before, sent),
          () -> answered.get() > before || done.future().isComplete());
    }
    await(done.future());
    assertThat(faults.stream().limit(40)).as("%d of %d answers", faults.size(), sent).isEmpty();
  }

  private Future<Void> next() {
    Request request;
    synchronized (requests) {
      request = requests.poll();
    }
    return request == null ? Future.succeededFuture() : send(request).compose(v -> next());
  }

  private Future<Void> send(Request given) {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    if (given.body() != null || given.operation().isWrite()) {
      headers.set("Content-Type", JSON);
    }
    given.headers().forEach(headers::set);
    return client
        .request(given.method(), given.target())
        .compose(
            request -> {
              request.headers().addAll(headers);
              return (given.body() == null ? request.send() : request.send(given.body()));
            })
        .compose(answer -> answer.body().map(body -> checked(given, answer, body.getBytes())))
        .timeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .onComplete(done -> answered.incrementAndGet())
        .onFailure(cause -> report(given, "no answer: " + cause, 0, new byte[0]))
        .<Void>mapEmpty()
        .otherwiseEmpty();
  }

  private @Nullable Void checked(Request given, HttpClientResponse answer, byte[] body) {
    int status = answer.statusCode();
    String media = answer.getHeader("Content-Type");
    for (String fault : check.faults(given.operation(), status, media, body)) {
      report(given, fault, status, body);
    }
    if (given.status() > 0 && status != given.status()) {
      report(given, "is not " + given.status(), status, body);
    }
    String pointer = given.pointer();
    if (pointer != null && status == given.status()) {
      JsonNode errors = Json.parse("the answer", body).path("errors");
      List<String> pointers = new ArrayList<>();
      errors.forEach(error -> pointers.add(error.path("pointer").asText()));
      if (!pointers.contains(pointer)) {
        report(given, "names " + pointers + ", not " + pointer, status, body);
      }
    }
    return null;
  }

  private void report(Request given, String fault, int status, byte[] body) {
    String target = given.target();
    faults.add(
        "%s %s (%s): %d %s: %s"
            .formatted(
                given.method(),
                target.length() > 120 ? target.substring(0, 120) + "…" : target,
                given.what(),
                status,
                fault,
                ResponseCheck.brief(body)));
  }

  /** Returns the operation whose path is left of another one's, with two dots for a parameter. */
  private static Operation meant(Operation operation, String parameter, String segment) {
    String up = "/[^/]+/\\{" + parameter + "\\}";
    String left = operation.path().replaceFirst(up, "");
    return !segment.equals("..") && !segment.equals("%2e%2e")
        ? operation
        : CONTRACT.operations().stream()
            .filter(each -> each.path().equals(left) && each.method().equals(operation.method()))
            .findFirst()
            .orElse(operation);
  }

  @Test
  void aHostilePathIsAnsweredInForm() {
    for (Operation operation : CONTRACT.operations()) {
      for (Parameter parameter : operation.parameters()) {
        if (parameter.in().equals("path")) {
          for (String segment : SEGMENTS) {
            Operation meant = meant(operation, parameter.name(), segment);
            Buffer body = body(operation);
            String path = path(operation, parameter.name(), segment);
            add(meant, operation.method(), path, Map.of(), body, 0, null, "path");
          }
        }
      }
    }
    sendAll();
  }

  @Test
  void hostileParametersAreAnsweredInForm() {
    for (Operation operation : CONTRACT.operations()) {
      String path = path(operation);
      add(
          operation,
          operation.method(),
          path + "?nosuch=1",
          Map.of(),
          body(operation),
          400,
          "/nosuch",
          "unknown parameter");
      for (Parameter parameter : operation.parameters()) {
        String name = parameter.name();
        if (parameter.in().equals("query")) {
          VALUES.forEach(value -> add(operation, path + "?" + name + "=" + value, "query"));
          add(operation, path + "?" + name + "=1&" + name + "=2", "twice");
        }
      }
      Stream<String> names =
          Stream.concat(
              Stream.of("If-None-Match", "If-Match"),
              operation.parameters().stream()
                  .filter(each -> each.in().equals("header"))
                  .map(Parameter::name));
      names
          .distinct()
          .forEach(
              name ->
                  HEADERS.forEach(
                      value ->
                          add(
                              operation,
                              operation.method(),
                              path,
                              Map.of(name, value),
                              body(operation),
                              0,
                              null,
                              name)));
    }
    sendAll();
  }

  @Test
  void aBodyWithOneFaultIsRefusedWithItsPlace() {
    for (Operation operation : CONTRACT.operations()) {
      if (operation.body() != null) {
        for (Samples.Bad bad : samples.bad(operation.body())) {
          add(
              operation,
              operation.method(),
              path(operation),
              Map.of(),
              buffer(bad.body()),
              422,
              bad.pointer(),
              bad.name() + " at " + bad.pointer());
        }
      }
    }
    sendAll();
  }

  private static Map<String, Buffer> malformed() {
    Map<String, Buffer> all = new LinkedHashMap<>();
    all.put("half", Buffer.buffer("{\"a\":"));
    all.put("blank", Buffer.buffer("  "));
    all.put("invalid UTF-8", Buffer.buffer(new byte[] {'{', '"', (byte) 0xff, '"', ':', '1', '}'}));
    all.put("deep list", Buffer.buffer("[".repeat(50_000)));
    all.put("deep object", Buffer.buffer("{\"a\":".repeat(20_000)));
    all.put("twice", Buffer.buffer("{\"limit\":1,\"limit\":2}"));
    all.put("more after it", Buffer.buffer("{} {}"));
    all.put("not a number", Buffer.buffer("{\"limit\":NaN}"));
    all.put("long number", Buffer.buffer("{\"limit\":" + "9".repeat(5_000) + "}"));
    return all;
  }

  @Test
  void aBodyThatCannotBeReadIsRefused() {
    for (Operation operation : CONTRACT.operations()) {
      String path = path(operation);
      HttpMethod method = operation.method();
      if (method.equals(HttpMethod.GET)) {
        continue;
      }
      malformed()
          .forEach(
              (name, body) -> {
                // a definition's reader reports what is there twice among the other defects
                int status = operation.raw() && name.equals("twice") ? 422 : 400;
                add(operation, method, path, Map.of(), body, status, null, name);
              });
      Buffer huge = Buffer.buffer("{\"a\":\"" + "x".repeat(operation.bodyLimit()) + "\"}");
      add(operation, method, path, Map.of(), huge, 413, null, "too large");
      for (String type : List.of("text/plain", "application/xml", "application/json;charset=x")) {
        Map<String, String> headers = Map.of("Content-Type", type);
        add(operation, method, path, headers, Buffer.buffer("{}"), 415, null, type);
      }
      add(operation, method, path, Map.of("Content-Type", ""), null, 415, null, "no media type");
      for (String value : List.of("[]", "7", "\"x\"", "true", "{\"nosuch\":1}")) {
        if (takesAnyJson(operation)) {
          continue;
        }
        add(operation, method, path, Map.of(), Buffer.buffer(value), 422, null, value);
      }
      if (operation.body() != null && operation.bodyRequired()) {
        add(operation, method, path, Map.of(), null, 400, null, "no body");
      }
    }
    sendAll();
  }

  /** Whether its body is a message, of which the contract says nothing. */
  private static boolean takesAnyJson(Operation operation) {
    return operation.body() != null && operation.body().isEmpty();
  }

  @Test
  void aMethodThatAPathDoesNotHaveIsRefused() {
    for (Operation operation : CONTRACT.operations()) {
      for (String name : List.of("GET", "POST", "PUT", "DELETE", "PATCH", "PROPFIND")) {
        HttpMethod method = HttpMethod.valueOf(name);
        boolean known =
            CONTRACT.operations().stream()
                .anyMatch(
                    each -> each.path().equals(operation.path()) && each.method().equals(method));
        if (!known) {
          // an actor's path may have slashes, and any last name
          boolean other =
              name.equals("GET") && operation.path().matches("/(actors|deadletters)/.*");
          Operation asked = other ? reading(operation) : operation;
          add(asked, method, path(operation), Map.of(), null, other ? 0 : 405, null, "method");
        }
      }
    }
    sendAll();
  }

  private static Operation reading(Operation operation) {
    String path = operation.path().startsWith("/actors") ? "/actors/{path}" : "/deadletters/{id}";
    return CONTRACT.operations().stream()
        .filter(each -> each.path().equals(path) && each.method().equals(HttpMethod.GET))
        .findFirst()
        .orElseThrow();
  }
}
