package io.callboard.pollers.source;

import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;

/**
 * Context that a source is made with.
 *
 * @param vertx Vert.x of the node
 * @param name name of the source in the cell
 * @param settings settings of the source, which its kind has accepted
 * @param memory durable memory of the source
 */
public record SourceContext(Vertx vertx, String name, JsonObject settings, SourceMemory memory) {}
