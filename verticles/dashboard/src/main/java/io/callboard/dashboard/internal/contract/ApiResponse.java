package io.callboard.dashboard.internal.contract;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reply to a request.
 *
 * @param status HTTP status; 0 if the operation writes the response itself
 * @param headers headers
 * @param body body
 */
public record ApiResponse(int status, Map<String, String> headers, Buffer body) {
  private static final String JSON = "application/json";

  public static ApiResponse ok(JsonNode body) {
    return json(200, body);
  }

  /** Returns a reply 202: the request is durable, its effect may come later. */
  public static ApiResponse accepted(JsonNode body) {
    return json(202, body);
  }

  /** Returns a reply 204, without content. */
  public static ApiResponse noContent() {
    return new ApiResponse(204, Map.of(), Buffer.buffer());
  }

  /**
   * Returns a reply 201.
   *
   * @param location path of the new object, below the API's base
   */
  public static ApiResponse created(String location, JsonNode body) {
    return json(201, body).with("Location", location);
  }

  public static ApiResponse text(String mediaType, String body) {
    return new ApiResponse(200, Map.of("Content-Type", mediaType), Buffer.buffer(body));
  }

  public static ApiResponse bytes(String mediaType, byte[] body) {
    return new ApiResponse(200, Map.of("Content-Type", mediaType), Buffer.buffer(body));
  }

  /** Returns the sign that the operation writes the response itself. */
  public static ApiResponse taken() {
    return new ApiResponse(0, Map.of(), Buffer.buffer());
  }

  private static ApiResponse json(int status, JsonNode body) {
    return new ApiResponse(
        status, Map.of("Content-Type", JSON), Buffer.buffer(Json.uncheckedBytes(body)));
  }

  /**
   * Returns this answer with an entity tag of its content, so that a client can ask whether it
   * changed.
   */
  public ApiResponse tagged() {
    return with("ETag", EntityTags.ofContent(body));
  }

  /** Returns this answer with one more header. */
  public ApiResponse with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new ApiResponse(status, more, body);
  }
}
