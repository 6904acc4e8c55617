package io.callboard.pollers.kafka;

import io.callboard.pollers.source.Settings;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a source, as {@link KafkaKind} documents them.
 *
 * @param client properties of the clients; may have secrets
 */
record KafkaSettings(
    String servers,
    String topic,
    String group,
    @Nullable String member,
    String from,
    int window,
    JsonObject client) {
  private static final String RETRY = ".callboard.retry";
  private static final String DEAD = ".callboard.dead";

  /** Names that Kafka permits, with room for what is added. */
  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,230}");

  static KafkaSettings of(JsonObject json) {
    JsonObject others = json.copy();
    Object client = others.remove("client");
    Settings settings = new Settings(others);
    if (client != null && !(client instanceof JsonObject)) {
      throw settings.refused("client", "\"client\" has properties of Kafka's clients, by name");
    }
    String servers = settings.text("servers");
    String topic = settings.text("topic");
    if (!TOPIC.matcher(topic).matches()) {
      throw settings.refused(
          "topic", "\"topic\" has 1 to 230 letters, digits, dots, hyphens and underscores");
    } else if (topic.endsWith(RETRY)) {
      throw settings.refused(
          "topic",
          "\"topic\" is a topic of messages; what fails comes back from \"%s\" by itself"
              .formatted(topic));
    }
    String group = settings.text("group");
    String member = settings.text("member", null);
    String from = settings.word("from", List.of("earliest", "latest"), "earliest");
    int window = settings.number("window", 1, 100_000, 1_000);
    settings.end();
    return new KafkaSettings(
        servers,
        topic,
        group,
        member,
        from,
        window,
        client instanceof JsonObject properties ? properties : new JsonObject());
  }

  String retryTopic() {
    return topic + RETRY;
  }

  String deadTopic() {
    return topic + DEAD;
  }

  /** Without values of {@link #client}. */
  @Override
  public String toString() {
    return "topic \"%s\" of Kafka at %s, group \"%s\"".formatted(topic, servers, group);
  }
}
