package io.callboard.dashboard.internal.contract;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Request that matches its operation in the contract.
 *
 * @param context the request and its response
 * @param parameters parameters by name: those of the path, the query and the headers that were
 *     given or have a default
 * @param body body of the request; {@code missing} if the operation takes none, or reads it itself
 */
public record Call(RoutingContext context, Map<String, JsonNode> parameters, JsonNode body) {

  /** Returns a text parameter that is required or has a default. */
  public String text(String name) {
    return parameter(name).asText();
  }

  /** Returns an integer parameter that is required or has a default. */
  public int number(String name) {
    return parameter(name).asInt();
  }

  /** Returns a boolean parameter that is required or has a default. */
  public boolean flag(String name) {
    return parameter(name).asBoolean();
  }

  /** Returns a text parameter; null if it was not given. */
  public @Nullable String optionalText(String name) {
    JsonNode value = parameters.get(name);
    return value == null ? null : value.asText();
  }

  /** Returns an integer parameter; null if it was not given. */
  public @Nullable Integer optionalNumber(String name) {
    JsonNode value = parameters.get(name);
    return value == null ? null : Integer.valueOf(value.asInt());
  }

  /** Returns a long parameter; null if it was not given. */
  public @Nullable Long optionalLong(String name) {
    JsonNode value = parameters.get(name);
    return value == null ? null : Long.valueOf(value.asLong());
  }

  /** Returns the sender of the request. */
  public Caller caller() {
    return Caller.of(context);
  }

  /** Returns the name of the sender; the address where the node asks for no login. */
  public String who() {
    Caller caller = caller();
    return caller == Caller.LOCAL ? "a client at " + Caller.address(context) : caller.name();
  }

  /** Returns the sender, for people. */
  public String client() {
    Caller caller = caller();
    return "%s at %s"
        .formatted(
            caller == Caller.LOCAL ? "a client" : "user " + caller.name(), Caller.address(context));
  }

  /** Returns the body as it was sent. */
  public byte[] bytes() {
    Buffer buffer = context.body().buffer();
    return buffer == null ? new byte[0] : buffer.getBytes();
  }

  private JsonNode parameter(String name) {
    JsonNode value = parameters.get(name);
    if (value == null) {
      throw new IllegalStateException("the contract gives no default for parameter " + name);
    }
    return value;
  }
}
