package io.callboard.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.contract.Contract;
import io.callboard.dashboard.internal.contract.Contract.Operation;
import io.callboard.dashboard.internal.contract.Contract.Parameter;
import io.callboard.dashboard.internal.contract.ResponseCheck;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every operation of the contract with valid input, on an object that it is possible for: the
 * answer is a success, as the document says. What is refused nevertheless is named, with the
 * reason.
 */
@Tag("real")
class ValidInputTest {
  /** By operation and what is given, the status and the reason; nothing else may be refused. */
  private static final Map<String, String> REFUSED =
      Map.of(
          "listJobs with cursor", "400 a cursor comes from a page, and is of its list",
          "listWorkflows with cursor", "400 a cursor comes from a page, and is of its list",
          "failoverRole", "409 no other node offers the role: there is one node",
          "login", "409 the node has no users; LoginTest has",
          "login with all fields", "409 the node has no users; LoginTest has");

  @TempDir Path data;

  private final Contract contract = Contract.read();
  private final ResponseCheck check = new ResponseCheck(contract);
  private final List<String> faults = new ArrayList<>();
  private final TreeSet<String> refused = new TreeSet<>();

  @Test
  void validInputIsTakenAndAnsweredAsTheDocumentSays() throws IOException {
    JsonObject sources = SourceApiTest.configured(SourceApiTest.directory(data));
    try (TestNode node = TestNode.withSources(data, TestNode.options(), sources)) {
      ContractWorld world = new ContractWorld(node, contract);
      for (Operation operation : contract.operations()) {
        all(node, world, operation);
      }
    }
    assertThat(faults).isEmpty();
    assertThat(refused).as("an exception that is none is left out").isEqualTo(REFUSED.keySet());
  }

  private void all(TestNode node, ContractWorld world, Operation operation) {
    send(node, operation, world.path(operation), world.body(operation, false), "");
    if (operation.body() != null) {
      send(node, operation, world.path(operation), world.body(operation, true), " with all fields");
    }
    for (Parameter parameter : operation.parameters()) {
      if (parameter.in().equals("query")
          && !parameter.required()
          && !parameter.name().equals("follow")) {
        String value = world.query(operation, parameter);
        String path = world.path(operation);
        String query =
            (path.contains("?") ? "&" : "?")
                + parameter.name()
                + "="
                + URLEncoder.encode(value, StandardCharsets.UTF_8);
        JsonNode body = world.body(operation, false);
        send(node, operation, path + query, body, " with " + parameter.name());
      }
    }
  }

  private void send(
      TestNode node, Operation operation, String target, @Nullable JsonNode body, String what) {
    BodyPublisher bytes =
        body == null
            ? BodyPublishers.noBody()
            : BodyPublishers.ofByteArray(Json.uncheckedBytes(body));
    HttpResponse<String> answer =
        node.send(
            node.request(target)
                .header("Content-Type", "application/json")
                .method(operation.method().name(), bytes));
    byte[] text = answer.body().getBytes(StandardCharsets.UTF_8);
    int status = answer.statusCode();
    String given = operation.id() + what;
    String media = answer.headers().firstValue("Content-Type").orElse(null);
    for (String fault : check.faults(operation, status, media, text)) {
      faults.add(
          "%s %s: %d %s: %s".formatted(given, target, status, fault, ResponseCheck.brief(text)));
    }
    if (status < 200 || status > 299) {
      refused.add(given);
      String expected = REFUSED.get(given);
      if (expected == null || !expected.startsWith(status + " ")) {
        faults.add(
            "%s %s is refused: %d %s".formatted(given, target, status, ResponseCheck.brief(text)));
      }
    }
  }
}
