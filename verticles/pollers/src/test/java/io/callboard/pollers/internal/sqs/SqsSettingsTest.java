package io.callboard.pollers.internal.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.pollers.source.SourceSettingException;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the settings of SQS. */
class SqsSettingsTest {
  private static JsonObject queue(String queue) {
    return new JsonObject().put("queue", queue);
  }

  private static void refused(JsonObject settings, String pointer, String message) {
    assertThatThrownBy(() -> new SqsKind().check(settings))
        .isInstanceOf(SourceSettingException.class)
        .hasMessageContaining(message)
        .extracting(thrown -> ((SourceSettingException) thrown).defects().get(0).pointer())
        .isEqualTo(pointer);
  }

  @ParameterizedTest
  @CsvSource({
    "q, q-dead",
    "q.fifo, q-dead.fifo",
    "https://sqs.eu-central-1.amazonaws.com/1/q, https://sqs.eu-central-1.amazonaws.com/1/q-dead"
  })
  void theDeadLetterQueueHasADefaultName(String queue, String dead) {
    assertThat(SqsSettings.of(queue(queue)).deadLetterQueue()).isEqualTo(dead);
  }

  @Test
  void wrongSettingsAreRefused() {
    refused(new JsonObject(), "/queue", "missing");
    refused(queue("q").put("deadLetterQueue", "q"), "/deadLetterQueue", "another");
    refused(queue("q").put("deadLetterQueue", "d.fifo"), "/deadLetterQueue", "FIFO");
    refused(queue("q").put("lease", "PT5.5S"), "/lease", "whole seconds");
    refused(queue("q").put("lease", "PT4S"), "/lease", "from PT5S");
    refused(queue("q").put("lease", "PT12H"), "/lease", "PT11H");
    refused(queue("q").put("accessKeyId", "x"), "/secretAccessKey", "go together");
    refused(queue("q").put("secretAccessKey", "x"), "/accessKeyId", "go together");
    refused(queue("q").put("sessionToken", "x"), "/sessionToken", "needs an \"accessKeyId\"");
    refused(queue("q").put("endpoint", "localhost:1"), "/endpoint", "https://HOST:PORT");
    refused(queue("q").put("endpoint", "http://a b"), "/endpoint", "no URL");
    refused(queue("q").put("wait", 7), "/wait", "unknown");
  }

  @Test
  void aWrongEndpointIsNotShown() {
    assertThatThrownBy(
            () -> new SqsKind().check(queue("q").put("endpoint", "https://me:secret@host/ x")))
        .isInstanceOf(SourceSettingException.class)
        .hasMessageContaining("no URL")
        .hasMessageNotContaining("secret");
  }

  @Test
  void secretsAreNotShown() {
    SqsSettings settings =
        SqsSettings.of(
            queue("q")
                .put("region", "eu-central-1")
                .put("accessKeyId", "key")
                .put("secretAccessKey", "secret"));
    assertThat(settings.access().secret()).isEqualTo("secret");
    assertThat(settings.toString()).contains("SQS in eu-central-1").doesNotContain("secret");
  }
}
