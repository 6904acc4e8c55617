package io.callboard.workflows;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;

/**
 * Run of a step, as its handler sees it. Thread-safe. The trees that it gives are copies for this
 * run, one each of {@link #input} and {@link #with}, made when the handler asks for it: what it
 * changes in them nobody else sees. The same holds for what it returns, once it has.
 */
public interface StepContext {
  /** Returns the id of the instance. */
  String instance();

  /** Returns the id of the step. */
  String step();

  /** Returns the number of the attempt, from 1; a lost run is repeated within its attempt. */
  int attempt();

  /**
   * Returns the number of the run, from 1; a later run of the step has a higher one. A run may
   * begin again under its number after its node has died together with that of the worker registry.
   */
  int run();

  /**
   * Returns the key for effects elsewhere: the same for all attempts and runs of the step, another
   * for its compensation and for each time that it is run again on purpose.
   */
  String key();

  /**
   * Returns the data of the step: {@code {input, outputs: {step: …}, errors?: {step: …}, merged?,
   * large?: {step: {instance, bytes}}}}, of the steps before it over any path. Outputs over 24 KiB
   * are there as well if they have 1 MiB at most together; else they are not in {@code outputs} but
   * in {@code large}, and {@link #output} reads them.
   */
  JsonNode input();

  /**
   * Returns the output of a step before this one, however large. Fails with {@link
   * io.callboard.workflows.model.PermanentStepException} if there is none.
   */
  Future<JsonNode> output(String step);

  /** Returns the parameters of the step, an object. */
  JsonNode with();

  /**
   * Returns a future that completes when the run is to end, also because its node stops or has lost
   * its session: the handler should end then. After 10 s it is not waited for any more, what it
   * returns does not count, and the step may run elsewhere beside it.
   */
  Future<Void> cancelled();

  /**
   * Reports that the handler goes on, with its progress for people: the reasons of the instance
   * have the last report and its age. Of several that come faster than the node takes them, the
   * last one counts. It prolongs nothing, and a handler without heartbeats is not ended: only the
   * timeout of its step, a cancellation or the end of its node ends one that never completes.
   *
   * @throws IllegalArgumentException if {@code progress} is longer than 4 KiB as JSON
   */
  void heartbeat(JsonNode progress);
}
