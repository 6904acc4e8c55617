package io.callboard.jobs.internal.call;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.jobs.handler.HandlerOptions;
import io.callboard.jobs.handler.JobHandler;

/**
 * Handler that this node offers.
 *
 * @param name its name
 * @param args class of its arguments
 * @param options its zone, slots and rules
 * @param code the handler
 */
public record OfferedHandler<A>(
    String name, Class<A> args, HandlerOptions options, JobHandler<A> code) {
  /**
   * Reads the arguments of a job from their text, since a tree that was made in Java may have whole
   * numbers as decimals, which cannot be read as an {@code int}.
   *
   * @throws CodecException if they do not fit; it names the place and what is wrong
   */
  public A read(JsonNode given) {
    String what = "the arguments of handler \"%s\"".formatted(name);
    return Json.convertExactly(what, Json.parse(what, Json.uncheckedBytes(given)), args);
  }
}
