package io.callboard.workflows.internal.starts;

import io.callboard.workflows.model.BrakeOverride;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Commands of the start desk. */
public sealed interface StartCommand {
  /**
   * Report of a node; answered with {@link StartReply.Answered}.
   *
   * @param report the report
   */
  record Report(StartReport report) implements StartCommand {}

  /** Asks for the brakes; answered with {@link StartReply.Brakes}. */
  record Brakes() implements StartCommand {}

  /**
   * Asks for one brake; answered with {@link StartReply.Brakes}.
   *
   * @param definition name of the definition
   */
  record Brake(String definition) implements StartCommand {}

  /**
   * News of the ledger: an override was set or removed, and is durable.
   *
   * @param definition name of the definition
   * @param override the override; null for none
   */
  record Overridden(String definition, @Nullable BrakeOverride override) implements StartCommand {}

  /**
   * News of the ledger: the weights of definitions.
   *
   * @param weights the weights
   */
  record Weights(Map<String, Integer> weights) implements StartCommand {}

  /** Reminder of the desk to itself. */
  record Tick() implements StartCommand {}
}
