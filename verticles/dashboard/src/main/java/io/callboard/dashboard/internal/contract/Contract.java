package io.callboard.dashboard.internal.contract;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Contract of the REST interface, read from {@code openapi.json}.
 *
 * @param json the file, as it is served
 * @param tree the file, parsed
 * @param operations its operations
 */
@SuppressWarnings("ArrayRecordComponent")
public record Contract(byte[] json, JsonNode tree, List<Operation> operations) {
  private static final String RESOURCE = "/io/callboard/dashboard/openapi.json";

  /**
   * Operation of the contract.
   *
   * @param id its {@code operationId}
   * @param method its method
   * @param base prefix of {@code path}: {@code /api/v1}, or nothing for operations at the root
   * @param path its path, with parameters in braces
   * @param parameters its parameters
   * @param body schema of its body; null if it takes none
   * @param bodyRequired whether the body is required
   * @param mediaTypes media types that its body may have
   * @param raw whether its handler reads the body, of which nothing is checked but the size
   * @param bodyLimit maximum size of its body, in bytes
   * @param role role that its caller needs
   */
  public record Operation(
      String id,
      HttpMethod method,
      String base,
      String path,
      List<Parameter> parameters,
      @Nullable JsonNode body,
      boolean bodyRequired,
      List<String> mediaTypes,
      boolean raw,
      int bodyLimit,
      Role role) {
    /** Returns whether the operation changes something. */
    public boolean isWrite() {
      return !method.equals(HttpMethod.GET);
    }
  }

  /**
   * Parameter of an operation.
   *
   * @param name its name
   * @param in {@code path}, {@code query} or {@code header}
   * @param required whether it is required
   * @param slashes whether a path parameter may contain slashes
   * @param schema its schema
   */
  public record Parameter(
      String name, String in, boolean required, boolean slashes, JsonNode schema) {}

  /** Copies the list. */
  public Contract {
    operations = List.copyOf(operations);
  }

  /** Reads the resource; blocks shortly. */
  public static Contract read() {
    try (InputStream in = Contract.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + RESOURCE + " is missing");
      }
      return parse(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Contract parse(byte[] json) {
    JsonNode tree = Json.parse(RESOURCE, json);
    List<Operation> operations = new ArrayList<>();
    String base = tree.at("/servers/0/url").asText("");
    for (Map.Entry<String, JsonNode> path : tree.path("paths").properties()) {
      String server = path.getValue().at("/servers/0/url").asText(base);
      for (Map.Entry<String, JsonNode> entry : path.getValue().properties()) {
        if (entry.getValue().has("operationId")) {
          operations.add(
              operation(
                  tree,
                  HttpMethod.valueOf(entry.getKey().toUpperCase(Locale.ROOT)),
                  server.equals("/") ? "" : server,
                  path.getKey(),
                  path.getValue(),
                  entry.getValue()));
        }
      }
    }
    return new Contract(json, tree, operations);
  }

  private static Operation operation(
      JsonNode tree, HttpMethod method, String base, String path, JsonNode item, JsonNode node) {
    List<Parameter> parameters = new ArrayList<>();
    for (JsonNode list : List.of(item.path("parameters"), node.path("parameters"))) {
      for (JsonNode given : list) {
        JsonNode parameter =
            given.has("$ref") ? tree.at(given.get("$ref").asText().substring(1)) : given;
        parameters.add(
            new Parameter(
                parameter.path("name").asText(),
                parameter.path("in").asText(),
                parameter.path("required").asBoolean(),
                parameter.path("x-slashes").asBoolean(),
                parameter.path("schema")));
      }
    }
    JsonNode body = node.at("/requestBody/content/application~1json/schema");
    boolean raw = node.at("/requestBody/x-raw").asBoolean();
    List<String> mediaTypes = new ArrayList<>();
    node.at("/requestBody/content").fieldNames().forEachRemaining(mediaTypes::add);
    return new Operation(
        node.get("operationId").asText(),
        method,
        base,
        path,
        parameters,
        body.isMissingNode() || raw ? null : body,
        node.at("/requestBody/required").asBoolean(),
        mediaTypes.isEmpty() ? List.of("application/json") : mediaTypes,
        raw,
        node.at("/requestBody/x-body-limit").asInt(ContractRouter.BODY_LIMIT),
        Role.ofOperation(node.get("operationId").asText(), node.path("x-role").asText()));
  }
}
