package io.callboard.pollers.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.pollers.SourcesOptions;
import io.callboard.pollers.internal.poll.Outcome;
import io.callboard.pollers.model.SourceConfig;
import io.callboard.pollers.source.SourceMessage;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EmissionsTest {
  private static final Outcome.Succeeded DONE = new Outcome.Succeeded("i1", "SUCCEEDED");

  private static List<String> ids(String id) {
    String config =
        """
        {'in': {'kind': 'directory', 'settings': {'path': '/in', 'emitTo': '/out'},
          'start': {'workflow': 'w'},
          'onSuccess': [{'emit': 'a', 'body': 1}, {'emit': 'b', 'body': 2}]}}
        """;
    SourceConfig source =
        SourcesOptions.of(new JsonObject(config.replace('\'', '"')), List.of()).sources().get(0);
    SourceMessage message = new SourceMessage(id, "r", Buffer.buffer("{}"), Map.of(), 1, null);
    return Emissions.after(source, message, 2, DONE).stream()
        .map(each -> each.message().id())
        .toList();
  }

  @Test
  void idsOfEmissionsDeriveFromThatOfTheMessage() {
    assertThat(ids("m")).containsExactly("source/in/m#2/0", "source/in/m#2/1");
  }

  @Test
  void idsThatAreTooLongForASourceAreHashesAlwaysTheSame() {
    String longest = "ö".repeat(300);
    List<String> ids = ids(longest);
    assertThat(ids).doesNotHaveDuplicates().hasSize(2).isEqualTo(ids(longest));
    for (String each : ids) {
      assertThat(each).startsWith("sha256-");
      assertThat(each.getBytes(StandardCharsets.UTF_8).length)
          .isLessThanOrEqualTo(Emissions.LONGEST_ID);
    }
  }
}
