package io.callboard.pollers.internal.kafka;

import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceContext;
import io.callboard.pollers.source.SourceKind;
import io.callboard.time.Time;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * Kind {@code kafka}: messages of a topic of Apache Kafka, by a consumer group.
 *
 * <table>
 * <caption>Settings</caption>
 * <tr><th>Name</th><th>Meaning</th></tr>
 * <tr><td>{@code servers}</td><td>brokers to begin with, as {@code kafka1:9092,kafka2:9092}</td></tr>
 * <tr><td>{@code topic}</td><td>the topic; it must be there</td></tr>
 * <tr><td>{@code group}</td><td>consumer group, which no other program uses</td></tr>
 * <tr><td>{@code member}</td><td>name of this consumer in its group, if it is to be a static
 * member: the node that takes the source over then has its partitions at once, not when the
 * session of a dead node is over (10 s). No other source, of no cell, may have it in this
 * group</td></tr>
 * <tr><td>{@code from}</td><td>where a group begins for which the brokers have no offset: {@code
 * earliest} (default) or {@code latest}. They forget those of a group without members, after seven
 * days if not told otherwise</td></tr>
 * <tr><td>{@code window}</td><td>most offsets of one partition that are delivered and not
 * committed, because an earlier one is not done: 1 to 100,000, default 1,000. A full window holds
 * its partition</td></tr>
 * <tr><td>{@code maxSize}</td><td>largest value of a record in bytes, up to 64 MiB, default 1 MiB; a
 * larger one is set aside</td></tr>
 * <tr><td>{@code client}</td><td>properties of Kafka's clients, as {@code security.protocol} or
 * {@code sasl.jaas.config}; those that the source needs for its promises are refused</td></tr>
 * </table>
 *
 * <p>The source makes two topics if they are not there, with the replicas that are the brokers'
 * default, no limit of time and the largest record of the topic: {@code
 * <topic>.callboard.<group>.retry}, from which what failed comes back after its delay, and {@code
 * <topic>.callboard.dead} for what is set aside. (A group whose name is none for a topic has a hash
 * there.) What is done is deleted from the first, for which the client needs the right. Their
 * records have the headers {@code callboard-id}, {@code callboard-attempts}, {@code
 * callboard-cause} and {@code callboard-sent-at}.
 *
 * <p>The id of a message is {@code topic/partition/offset}. A topic that is removed and made again
 * counts from 0; so if the brokers give topics ids (Kafka 2.8), the source remembers that of the
 * first one under the name, and the ids of messages of another one are {@code
 * topic@identity/partition/offset}. With older brokers, give it another name.
 */
public final class KafkaKind implements SourceKind {
  /** Time of a call: a broker that fails is replaced by another within some seconds. */
  static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Time time;

  /** Creates the kind. */
  public KafkaKind() {
    this(Time.SYSTEM);
  }

  KafkaKind(Time time) {
    this.time = time;
  }

  @Override
  public String name() {
    return "kafka";
  }

  @Override
  public Optional<String> artifact() {
    return Optional.of("org.apache.kafka:kafka-clients");
  }

  @Override
  public void check(JsonObject settings) {
    KafkaSettings checked = KafkaSettings.of(settings);
    if (isThere()) {
      ClientProperties.check(checked.client());
    }
  }

  /** Whether the client is on the class path; without it no source is made anyway. */
  private static boolean isThere() {
    try {
      Class.forName(
          "org.apache.kafka.clients.CommonClientConfigs", false, KafkaKind.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  @Override
  public Source create(SourceContext its) {
    return new KafkaSource(
        its.vertx(),
        its.name(),
        KafkaSettings.of(its.settings()),
        KafkaClients.PLAIN,
        its.memory(),
        time);
  }

  @Override
  public Duration patience() {
    return PATIENCE;
  }
}
