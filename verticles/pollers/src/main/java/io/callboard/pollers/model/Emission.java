package io.callboard.pollers.model;

import io.callboard.workflows.template.Template;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Message that is sent when a message was done well, before that one is acknowledged.
 *
 * @param target queue of the source to which it is sent
 * @param source name of the source that sends it; null for the one of the message itself
 * @param body template of its body: a text is sent as it is, all else as JSON
 * @param headers templates of its headers
 */
public record Emission(
    String target, @Nullable String source, Template body, Map<String, Template> headers) {
  /** Copies the headers. */
  public Emission {
    headers = Map.copyOf(headers);
  }
}
