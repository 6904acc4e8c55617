package io.callboard.dashboard.internal.rest;

import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.contract.ApiResponse;
import io.callboard.dashboard.internal.contract.Call;
import io.callboard.dashboard.internal.contract.ContractRouter.Handler;
import io.callboard.dashboard.internal.model.SourceRows;
import io.callboard.pollers.Sources;
import io.callboard.pollers.model.SourceView;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Operations on sources, and the intake of those that take requests. */
public final class SourceApi {
  private static final Logger log = LoggerFactory.getLogger(SourceApi.class);

  /** Beginning of the headers that are a message's, in lower case. */
  private static final String OF_MESSAGE = "x-";

  private final Sources sources;

  /** Creates the operations. */
  public SourceApi(Sources sources) {
    this.sources = sources;
  }

  /** Change of what an operator wants of a source. */
  @FunctionalInterface
  private interface Change {
    Future<SourceView> of(String name, String by);
  }

  /** Returns the handlers by the id of their operation. */
  public Map<String, Handler> handlers() {
    return Map.of(
        "listSources",
        call -> sources.list().map(all -> Items.reply(SourceRows.of(all))),
        "getSource",
        call -> sources.source(call.text("s")).map(one -> ApiResponse.ok(SourceRows.of(one))),
        "pauseSource",
        call -> change(call, "paused", sources::pause),
        "resumeSource",
        call -> change(call, "resumed", sources::resume),
        "drainSource",
        call -> change(call, "drained", sources::drain),
        "sendToSource",
        this::take);
  }

  private static Future<ApiResponse> change(Call call, String done, Change change) {
    String name = call.text("s");
    log.info("source {} is to be {}, requested over REST by {}", name, done, call.client());
    return change
        .of(name, call.client())
        .map(source -> ApiResponse.accepted(SourceRows.of(source)));
  }

  private Future<ApiResponse> take(Call call) {
    String key = call.optionalText("Idempotency-Key");
    String id = key == null ? UUID.randomUUID().toString() : key;
    return sources
        .accept(call.text("s"), id, Buffer.buffer(call.bytes()), headers(call))
        .map(accepted -> ApiResponse.accepted(Json.tree(accepted)));
  }

  /** Returns the headers that the sender has given the message, in lower case. */
  private static Map<String, String> headers(Call call) {
    Map<String, String> given = new TreeMap<>();
    call.context()
        .request()
        .headers()
        .forEach(
            (header, value) -> {
              String name = header.toLowerCase(Locale.ROOT);
              if (name.startsWith(OF_MESSAGE)) {
                given.put(name, value);
              }
            });
    return given;
  }
}
