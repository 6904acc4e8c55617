package io.callboard.pollers.internal.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.internal.text.Digest;
import io.callboard.pollers.source.Settings;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
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
    int maxSize,
    JsonObject client) {
  private static final String OURS = ".callboard.";
  private static final String RETRY = ".retry";
  private static final String DEAD = OURS + "dead";
  private static final int LONGEST_TOPIC = 249;
  private static final int MIB = 1024 * 1024;

  /** Names that Kafka permits, with room for what is added. */
  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,220}");

  static KafkaSettings of(JsonObject json) {
    Settings settings = new Settings(json);
    Optional<JsonNode> client = settings.anyObject("client");
    String servers = settings.required("servers");
    String topic = settings.required("topic");
    if (!TOPIC.matcher(topic).matches()) {
      throw settings.refused(
          "topic", "\"topic\" has 1 to 220 letters, digits, dots, hyphens and underscores");
    } else if (topic.contains(OURS) && topic.endsWith(RETRY)) {
      throw settings.refused(
          "topic",
          "\"topic\" is a topic of messages; what fails comes back from \"%s\" by itself"
              .formatted(topic));
    }
    String group = settings.required("group");
    String member = settings.text("member").orElse(null);
    String from = settings.word("from", List.of("earliest", "latest")).orElse("earliest");
    int window = settings.number("window", 1, 100_000).orElse(1_000);
    int maxSize = settings.number("maxSize", 1, 64 * MIB).orElse(MIB);
    settings.end();
    return new KafkaSettings(
        servers,
        topic,
        group,
        member,
        from,
        window,
        maxSize,
        client.map(properties -> new JsonObject(properties.toString())).orElseGet(JsonObject::new));
  }

  /**
   * Returns the name of the retry topic, which is of this group alone, as other groups read the
   * topic, too.
   */
  String retryTopic() {
    String retry = topic + OURS + group + RETRY;
    return TOPIC.matcher(group).matches() && retry.length() <= LONGEST_TOPIC
        ? retry
        : topic + OURS + Digest.of(group).substring(0, 12) + RETRY;
  }

  String deadTopic() {
    return topic + DEAD;
  }

  /** Returns a text without the values of {@link #client}. */
  @Override
  public String toString() {
    return "topic \"%s\" of Kafka at %s, group \"%s\"".formatted(topic, servers, group);
  }
}
