package io.callboard.pollers.internal.actor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.fields.Fields;
import io.callboard.pollers.internal.poll.Outcome;
import io.callboard.pollers.internal.target.MessageData;
import io.callboard.pollers.internal.target.MessageKey;
import io.callboard.pollers.model.Emission;
import io.callboard.pollers.model.SourceConfig;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.SourceMessage;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Messages that are sent when a message was done well. */
final class Emissions {
  /**
   * Most bytes of an id; a hash is sent in place of a longer one. All systems can have so many, and
   * a source that takes the message takes them for its id.
   */
  static final int LONGEST_ID = 250;

  private Emissions() {}

  /**
   * Message to be sent.
   *
   * @param source source that sends it; null for the one of the message that was done
   */
  record Sending(@Nullable String source, String target, EmittedMessage message) {}

  /**
   * Returns the messages to send after a message was done well. The ids are the same whenever that
   * is asked again.
   *
   * @throws io.callboard.workflows.template.TemplateException if the message lacks a value
   */
  static List<Sending> after(
      SourceConfig config, SourceMessage message, int attempt, Outcome.Succeeded result) {
    ObjectNode data =
        MessageData.after(MessageData.of(config.name(), config.body(), message), result);
    String key = new MessageKey(config.name(), message.id(), attempt).text();
    List<Sending> sendings = new ArrayList<>();
    for (Emission each : config.onSuccess()) {
      Map<String, String> headers = new LinkedHashMap<>();
      each.headers()
          .forEach(
              (name, value) ->
                  headers.put(
                      name, value.fillText("/onSuccess/headers/" + Fields.escaped(name), data)));
      JsonNode body = each.body().fill("/onSuccess/body", data);
      String text = body.isTextual() ? body.textValue() : body.toString();
      EmittedMessage its =
          new EmittedMessage("%s/%d".formatted(key, sendings.size()), Buffer.buffer(text), headers);
      sendings.add(new Sending(each.source(), each.target(), its.withIdOf(LONGEST_ID)));
    }
    return sendings;
  }
}
