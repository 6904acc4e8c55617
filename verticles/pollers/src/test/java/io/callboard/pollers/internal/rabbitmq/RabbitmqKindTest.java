package io.callboard.pollers.internal.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.callboard.codecs.fields.FieldDefect;
import io.callboard.pollers.source.SourceSettingException;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

class RabbitmqKindTest {
  private static JsonObject settings() {
    return new JsonObject().put("uri", "amqp://rabbit:5673/%2fwork").put("queue", "orders");
  }

  private static void assertRefused(JsonObject settings, String pointer, String words) {
    SourceSettingException refused =
        catchThrowableOfType(
            SourceSettingException.class, () -> new RabbitmqKind().check(settings));
    assertThat(refused).as("refusal of %s", pointer).isNotNull();
    assertThat(refused.defects()).extracting(FieldDefect::pointer).containsExactly(pointer);
    assertThat(refused).hasMessageContaining(words);
  }

  @Test
  void settingsAreRead() {
    RabbitmqSettings read = RabbitmqSettings.of(settings().put("password", "top-secret"));
    assertThat(read.virtualHost()).isEqualTo("/work");
    assertThat(read.port()).isEqualTo(5673);
    assertThat(read.user()).isEqualTo("guest");
    assertThat(read.toString()).contains("orders").doesNotContain("top-secret");
    RabbitmqSettings tls = RabbitmqSettings.of(settings().put("uri", "amqps://rabbit"));
    assertThat(tls.isTls()).isTrue();
    assertThat(tls.port()).isEqualTo(5671);
    assertThat(tls.virtualHost()).isEqualTo("/");
  }

  @Test
  void settingsAreChecked() {
    assertRefused(new JsonObject().put("queue", "q"), "/uri", "missing");
    assertRefused(settings().put("uri", "http://rabbit"), "/uri", "amqp://");
    assertRefused(settings().put("uri", "amqp://u:p@rabbit"), "/uri", "settings of their own");
    assertRefused(settings().put("uri", "amqp://a b"), "/uri", "amqp://");
    assertRefused(settings().put("queue", "x".repeat(221)), "/queue", "220");
    assertRefused(settings().put("id", "uuid"), "/id", "header:<name>");
    assertRefused(settings().put("id", "header:"), "/id", "header:<name>");
    assertRefused(settings().put("queues", "stream"), "/queues", "quorum");
    assertRefused(settings().put("prefetch", 3), "/prefetch", "unknown");
  }
}
