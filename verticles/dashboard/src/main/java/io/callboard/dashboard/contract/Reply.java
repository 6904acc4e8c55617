package io.callboard.dashboard.contract;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an operation answers.
 *
 * @param status 0 if the operation writes the response itself
 */
public record Reply(int status, Map<String, String> headers, Buffer body) {
  private static final String JSON = "application/json";

  public static Reply ok(JsonNode body) {
    return json(200, body);
  }

  /** Accepted: it is durable, its effect may come later. */
  public static Reply accepted(JsonNode body) {
    return json(202, body);
  }

  /** Done, and there is nothing to say. */
  public static Reply noContent() {
    return new Reply(204, Map.of(), Buffer.buffer());
  }

  /**
   * @param location of the new thing, below the API's base
   */
  public static Reply created(String location, JsonNode body) {
    return json(201, body).with("Location", location);
  }

  public static Reply text(String mediaType, String body) {
    return new Reply(200, Map.of("Content-Type", mediaType), Buffer.buffer(body));
  }

  public static Reply bytes(String mediaType, byte[] body) {
    return new Reply(200, Map.of("Content-Type", mediaType), Buffer.buffer(body));
  }

  /** The operation has taken the response over. */
  public static Reply taken() {
    return new Reply(0, Map.of(), Buffer.buffer());
  }

  private static Reply json(int status, JsonNode body) {
    return new Reply(
        status, Map.of("Content-Type", JSON), Buffer.buffer(Json.uncheckedBytes(body)));
  }

  /** This answer with one more header. */
  public Reply with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new Reply(status, more, body);
  }
}
