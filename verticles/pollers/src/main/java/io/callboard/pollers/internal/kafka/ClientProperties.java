package io.callboard.pollers.internal.kafka;

import io.callboard.codecs.fields.FieldDefect;
import io.callboard.codecs.fields.Fields;
import io.callboard.pollers.source.SourceSettingException;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Properties of Kafka's clients: those of the user, and those that the promises need. */
final class ClientProperties {
  /** Settings of the source that are another name of a property. */
  private static final Map<String, String> SETTINGS =
      Map.of(
          ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, "servers",
          ConsumerConfig.GROUP_ID_CONFIG, "group",
          ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, "member",
          ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "from");

  private static final Set<String> FIXED =
      Set.of(
          ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
          ConsumerConfig.GROUP_PROTOCOL_CONFIG,
          ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
          ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
          ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
          ProducerConfig.ACKS_CONFIG,
          ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
          ProducerConfig.TRANSACTIONAL_ID_CONFIG,
          ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
          ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG);

  private ClientProperties() {}

  /** Refuses properties that no client has, and those that the source decides. */
  static void check(JsonObject client) {
    List<FieldDefect> defects = new ArrayList<>();
    Fields fields = new Fields(Fields.tree("client", client), "/client", defects::add);
    for (String name : fields.names()) {
      if (SETTINGS.containsKey(name)) {
        fields.defect(
            name, "is the setting \"%s\" of the source".formatted(SETTINGS.get(name)), "");
      } else if (FIXED.contains(name)) {
        fields.defect(name, "is decided by the source, for its promises", "");
      } else if (!ConsumerConfig.configNames().contains(name)
          && !ProducerConfig.configNames().contains(name)) {
        fields.defect(name, "is no property of Kafka's consumer or producer", "");
      } else if (!isPlain(client.getValue(name))) {
        fields.defect(name, "must be a text, number or boolean", "");
      }
    }
    if (!defects.isEmpty()) {
      throw new SourceSettingException(defects);
    }
  }

  private static boolean isPlain(Object value) {
    return value instanceof String || value instanceof Number || value instanceof Boolean;
  }

  static Map<String, Object> consumer(KafkaSettings settings, String name) {
    Map<String, Object> all = new HashMap<>();
    all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    all.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 10_000);
    all.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 2_000);
    all.put(
        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
        CooperativeStickyAssignor.class.getName());
    addUsers(all, settings, ConsumerConfig.configNames());
    all.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, settings.servers());
    all.putIfAbsent(ConsumerConfig.CLIENT_ID_CONFIG, "callboard-" + name);
    all.put(ConsumerConfig.GROUP_ID_CONFIG, settings.group());
    if (settings.member() != null) {
      all.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, settings.member());
    }
    // what was committed may be gone; where a new group begins is committed before it delivers
    all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    all.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    all.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    return all;
  }

  static Map<String, Object> producer(KafkaSettings settings, String name) {
    Map<String, Object> all = new HashMap<>();
    all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 5_000);
    all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
    all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 12_000);
    all.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 16 * 1024 * 1024);
    addUsers(all, settings, ProducerConfig.configNames());
    all.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, settings.servers());
    all.putIfAbsent(ProducerConfig.CLIENT_ID_CONFIG, "callboard-" + name);
    all.put(ProducerConfig.ACKS_CONFIG, "all");
    all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    all.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    all.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    return all;
  }

  static Map<String, Object> admin(KafkaSettings settings, String name) {
    Map<String, Object> all = new HashMap<>();
    all.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 3_000);
    all.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5_000);
    addUsers(all, settings, AdminClientConfig.configNames());
    all.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, settings.servers());
    all.putIfAbsent(AdminClientConfig.CLIENT_ID_CONFIG, "callboard-" + name);
    return all;
  }

  private static void addUsers(
      Map<String, Object> all, KafkaSettings settings, Set<String> permitted) {
    settings
        .client()
        .getMap()
        .forEach(
            (name, value) -> {
              if (permitted.contains(name)) {
                all.put(name, value);
              }
            });
  }
}
