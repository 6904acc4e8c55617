package io.callboard.pollers.internal.target;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.pollers.internal.poll.Outcome;
import io.vertx.core.Future;

/** Target of a source: what its messages become. Thread-safe. */
interface Target {
  /**
   * Begins an attempt of a message durably, or returns its outcome so far. A repeated call for the
   * same key begins nothing again. Fails with {@code NOT_FOUND} while what it should start does not
   * exist: what is accepted then would be lost.
   *
   * @param key key of the attempt
   * @param digest digest of the message: under the same key another one is no repetition, and fails
   *     for good; what the source makes of the message is not compared
   * @param data data of the message, for templates
   * @throws io.callboard.workflows.template.TemplateException if the message lacks a value
   */
  Future<Outcome> start(String key, String digest, JsonNode data);

  /** Returns how many more messages may be taken; not known if the future fails. */
  Future<TargetRoom> room();
}
