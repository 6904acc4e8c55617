package io.callboard.pollers.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.codecs.fields.FieldDefect;
import io.callboard.pollers.source.SourceSettingException;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the settings of an outbox table. */
class JdbcSettingsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                                   | /url   | is missing",
        "{\"url\":\"jdbc:mysql://h/d\"}                       | /url   | jdbc:postgresql://host",
        "{\"url\":\"jdbc:postgresql://h/d?PassWord=x\"}       | /url   | belongs to \"password\"",
        "{\"url\":\"jdbc:postgresql://shop:secret@h/d\"}     | /url   | \"user\" and \"password\"",
        "{\"url\":\"jdbc:postgresql://h/d\",\"table\":\"a;b\"} | /table | name of a table",
        "{\"url\":\"jdbc:postgresql://h/d\",\"done\":\"no\"}  | /done  | one of delete, mark",
        "{\"url\":\"jdbc:postgresql://h/d\",\"connections\":1} | /connections | from 2 to 10",
        "{\"url\":\"jdbc:postgresql://h/d\",\"lease\":\"PT4S\"} | /lease | from PT5S",
        "{\"url\":\"jdbc:postgresql://h/d\",\"x\":1}          | /x     | unknown",
      })
  void refusesWrongOnes(String json, String pointer, String message) {
    assertThatThrownBy(() -> new JdbcKind().check(new JsonObject(json)))
        .isInstanceOfSatisfying(
            SourceSettingException.class,
            e -> assertThat(e.defects()).extracting(FieldDefect::pointer).containsExactly(pointer))
        .hasMessageContaining(message);
  }

  @Test
  void showsNoPassword() {
    JdbcSettings settings =
        JdbcSettings.of(
            new JsonObject()
                .put("url", "jdbc:postgresql://host/db?user=u&ssl=true")
                .put("password", "secret"));
    assertThat(settings).hasToString("the table callboard_outbox of jdbc:postgresql://host/db");
  }
}
