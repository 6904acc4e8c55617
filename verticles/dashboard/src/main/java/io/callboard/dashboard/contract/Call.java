package io.callboard.dashboard.contract;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request that fits its operation in the contract.
 *
 * @param parameters by name: those of the path, the query and the headers that were given or have a
 *     default
 * @param body {@code missing} if the operation takes none
 */
public record Call(RoutingContext context, Map<String, JsonNode> parameters, JsonNode body) {

  /** A parameter that is always there: it is required or has a default. */
  public String text(String name) {
    return parameter(name).asText();
  }

  public int number(String name) {
    return parameter(name).asInt();
  }

  public boolean flag(String name) {
    return parameter(name).asBoolean();
  }

  public @Nullable String optionalText(String name) {
    JsonNode value = parameters.get(name);
    return value == null ? null : value.asText();
  }

  public @Nullable Integer optionalNumber(String name) {
    JsonNode value = parameters.get(name);
    return value == null ? null : Integer.valueOf(value.asInt());
  }

  public @Nullable Long optionalLong(String name) {
    JsonNode value = parameters.get(name);
    return value == null ? null : Long.valueOf(value.asLong());
  }

  private JsonNode parameter(String name) {
    JsonNode value = parameters.get(name);
    if (value == null) {
      throw new IllegalStateException("the contract gives no default for parameter " + name);
    }
    return value;
  }
}
