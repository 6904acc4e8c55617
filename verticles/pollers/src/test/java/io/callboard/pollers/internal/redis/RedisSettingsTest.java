package io.callboard.pollers.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.pollers.source.SourceKind;
import io.callboard.pollers.source.SourceSettingException;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the settings of both kinds. */
class RedisSettingsTest {
  private static JsonObject stream(String url) {
    return new JsonObject().put("url", url).put("stream", "s");
  }

  private static void refused(
      SourceKind kind, JsonObject settings, String pointer, String message) {
    assertThatThrownBy(() -> kind.check(settings))
        .isInstanceOf(SourceSettingException.class)
        .hasMessageContaining(message)
        .extracting(thrown -> ((SourceSettingException) thrown).defects().get(0).pointer())
        .isEqualTo(pointer);
  }

  @ParameterizedTest
  @CsvSource({
    "redis://h, h, 6379, 0",
    "redis://h:7, h, 7, 0",
    "rediss://h:7/, h, 7, 0",
    "redis://h/15, h, 6379, 15",
    "redis://u:p@h/15, h, 6379, 15",
    "redis://[::1]:7, [::1], 7, 0"
  })
  void aUrlNamesTheServer(String url, String host, int port, int database) {
    RedisEndpoint server = StreamSettings.of(stream(url)).server();
    assertThat(server.host()).isEqualTo(host);
    assertThat(server.port()).isEqualTo(port);
    assertThat(server.database()).isEqualTo(database);
    assertThat(server.tls()).isEqualTo(url.startsWith("rediss"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://u:secret@h",
        "redis:secret",
        "redis://:secret@",
        "redis://u:secret@h/x",
        "redis://u:secret@h?password=secret",
        "redis://u:secret%zz@h",
        "redis://u:secret@h/99999999999",
        "secret",
        "redis://u:secret@h: 7"
      })
  void aWrongUrlIsRefusedAndNotShown(String url) {
    assertThatThrownBy(() -> new RedisStreamKind().check(stream(url)))
        .isInstanceOf(SourceSettingException.class)
        .hasMessageContaining("redis://HOST:PORT/DATABASE")
        .hasMessageNotContaining("secret")
        .hasNoCause();
  }

  @Test
  void secretsAreNotShown() {
    StreamSettings settings = StreamSettings.of(stream("redis://u:secret@h:7"));
    assertThat(settings.server().password()).isEqualTo("secret");
    assertThat(settings.toString()).contains("Redis at h:7").doesNotContain("secret");
    assertThat(settings.server().url()).isEqualTo("redis://h:7/0");
  }

  @Test
  void wrongSettingsAreRefused() {
    RedisStreamKind kind = new RedisStreamKind();
    JsonObject right = stream("redis://h");
    refused(kind, new JsonObject().put("stream", "s"), "/url", "is missing");
    refused(kind, new JsonObject().put("url", "redis://h"), "/stream", "is missing");
    refused(kind, right.copy().put("user", "u"), "/user", "needs a \"password\"");
    refused(kind, right.copy().put("certificates", "x"), "/certificates", "rediss://");
    refused(kind, right.copy().put("begin", "last"), "/begin", "one of first, new");
    refused(kind, right.copy().put("lease", "PT0.5S"), "/lease", "from PT1S");
    refused(kind, right.copy().put("id", "body"), "/id", "not the field of the \"body\"");
    refused(kind, right.copy().put("credit", 7), "/credit", "unknown");
    refused(
        kind,
        stream("redis://u:secret@h").put("password", "other"),
        "/url",
        "has a user or password, and so have the settings");
    RedisListKind list = new RedisListKind();
    JsonObject listed = new JsonObject().put("url", "redis://h").put("list", "l");
    refused(list, listed.copy().put("end", "top"), "/end", "one of left, right");
    refused(list, listed.copy().put("format", "envelope").put("id", "x"), "/id", "envelope");
    refused(list, listed.copy().put("maxBytes", 0), "/maxBytes", "whole number");
  }

  @Test
  void kindsSayTheirNames() {
    for (SourceKind kind : List.of(new RedisStreamKind(), new RedisListKind())) {
      assertThat(kind.name()).startsWith("redis-");
      assertThat(kind.artifact()).contains("io.vertx:vertx-redis-client");
    }
  }
}
