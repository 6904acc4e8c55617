package io.callboard.pollers.model;

import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * Configuration of one source.
 *
 * @param name its name in the cell, which is also that of its role, {@code source-<name>}
 * @param kind name of its kind
 * @param settings settings of its kind
 * @param ack when its messages are acknowledged
 * @param credit how many of its messages are taken and not acknowledged at once
 * @param policy attempts of a message that is acknowledged on completion
 * @param body how bodies are read
 * @param target what a message becomes
 * @param onSuccess what is sent when a message was done well
 */
public record SourceConfig(
    String name,
    String kind,
    JsonObject settings,
    AckMode ack,
    int credit,
    AttemptPolicy policy,
    BodyFormat body,
    SourceTarget target,
    List<Emission> onSuccess) {
  /** Kind of a source that takes requests instead of polling. */
  public static final String HTTP = "http";

  /** Credit of a source that names none. */
  public static final int DEFAULT_CREDIT = 100;

  /** Highest credit. */
  public static final int MOST_CREDIT = 10_000;

  /** Copies settings and list. */
  public SourceConfig {
    settings = settings.copy();
    onSuccess = List.copyOf(onSuccess);
  }

  @Override
  public JsonObject settings() {
    return settings.copy();
  }

  /** Returns whether the source is polled, rather than called. */
  public boolean isPolled() {
    return !kind.equals(HTTP);
  }
}
