package io.callboard.workflows.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class QueueViewTest {
  private static QueueView queue(String definition, String type, int waiting, int seconds) {
    return new QueueView(
        definition, type, waiting, 1, Duration.ofSeconds(seconds), "for %d s".formatted(seconds));
  }

  @Test
  void queuesOfOneDefinitionAndTypeAreOneAndTheLongestWaitComesFirst() {
    assertThat(
            QueueView.merged(
                Stream.of(
                    new QueueView("idle", "job:a", 0, 3, null, null),
                    queue("d", "job:a", 2, 5),
                    queue("d", "job:b", 1, 6),
                    queue("e", "job:a", 1, 7),
                    queue("d", "job:a", 4, 9))))
        .containsExactly(
            new QueueView("d", "job:a", 6, 2, Duration.ofSeconds(9), "for 9 s"),
            queue("e", "job:a", 1, 7),
            queue("d", "job:b", 1, 6),
            new QueueView("idle", "job:a", 0, 3, null, null));
  }
}
