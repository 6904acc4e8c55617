package io.callboard.pollers.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.callboard.codecs.fields.FieldDefect;
import io.callboard.pollers.source.SourceSettingException;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

class KafkaKindTest {
  private final KafkaKind kind = new KafkaKind();

  private static JsonObject settings() {
    return new JsonObject().put("servers", "k:9092").put("topic", "orders").put("group", "g");
  }

  private void assertRefused(JsonObject settings, String pointer, String words) {
    SourceSettingException refused =
        catchThrowableOfType(SourceSettingException.class, () -> kind.check(settings));
    assertThat(refused).as("refusal of %s", pointer).isNotNull();
    assertThat(refused.defects()).extracting(FieldDefect::pointer).containsExactly(pointer);
    assertThat(refused).hasMessageContaining(words);
  }

  private void assertClientRefused(String name, Object value, String words) {
    assertRefused(
        settings().put("client", new JsonObject().put(name, value)), "/client/" + name, words);
  }

  @Test
  void settingsAreChecked() {
    assertThatCode(() -> kind.check(settings())).doesNotThrowAnyException();
    assertRefused(new JsonObject().put("servers", "k:1").put("group", "g"), "/topic", "missing");
    assertRefused(settings().put("topic", "a b"), "/topic", "letters");
    assertRefused(settings().put("topic", "a.callboard.g.retry"), "/topic", "by itself");
    assertRefused(settings().put("maxSize", 0), "/maxSize", "from 1 to");
    assertRefused(settings().put("window", 0), "/window", "from 1 to");
    assertRefused(settings().put("from", "now"), "/from", "earliest");
    assertRefused(settings().put("topics", "x"), "/topics", "unknown");
    assertRefused(settings().put("client", "x"), "/client", "must be an object");
  }

  @Test
  void propertiesOfTheClientAreChecked() {
    JsonObject good =
        new JsonObject()
            .put("security.protocol", "SASL_SSL")
            .put("sasl.jaas.config", "module required password=\"top-secret\";")
            .put("linger.ms", 5);
    assertThatCode(() -> kind.check(settings().put("client", good))).doesNotThrowAnyException();
    assertClientRefused("enable.auto.commit", true, "decided by the source");
    assertClientRefused("acks", "1", "decided by the source");
    assertClientRefused("group.id", "x", "\"group\"");
    assertClientRefused("fetch.maxbytes", 1, "no property");
    assertClientRefused("fetch.max.bytes", new JsonObject(), "number");
  }

  @Test
  void secretsAreNotShown() {
    JsonObject client = new JsonObject().put("sasl.jaas.config", "password=\"top-secret\";");
    assertThat(KafkaSettings.of(settings().put("client", client)).toString())
        .contains("orders")
        .doesNotContain("top-secret");
  }
}
