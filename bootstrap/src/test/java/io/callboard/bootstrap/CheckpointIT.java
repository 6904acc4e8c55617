package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A job of the built jar that is killed with its node and goes on where it was. */
@Tag("long")
@Tag("real")
class CheckpointIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @Test
  void aJobGoesOnFromItsCheckpointWhenItsNodeIsBack() throws Exception {
    Path directory = LaunchedNode.directory("checkpoint").toAbsolutePath();
    Path data = directory.resolve("data");
    Path go = directory.resolve("go");
    Path waits = directory.resolve("waits");
    String script =
        "row=${CALLBOARD_CHECKPOINT:-0}; echo from $row;"
            + "while [ $row -lt 20 ]; do row=$((row+1)); printf %%s $row >c; mv c checkpoint;"
            + " if [ $row = 10 ]; then : >%s; until [ -e %s ]; do sleep 0.05; done; fi; done;"
            + " echo \"{\\\"rows\\\":$row}\" >r; mv r result";
    String command = script.formatted(waits, go);
    String body =
        new String(
            Json.bytes(Map.of("command", List.of("sh", "-c", command))), StandardCharsets.UTF_8);
    String id;
    try (LaunchedNode node = LaunchedNode.start(data)) {
      id = JobView.submit(node, body);
      awaitFile(waits);
      node.kill();
    }
    // the first run waits for a file that nobody makes; the next one begins behind that row
    try (LaunchedNode node = LaunchedNode.start(data)) {
      JobView.await(node, id, "SUCCEEDED");
      JsonNode job = JobView.get(node, id);
      assertThat(job.path("result").path("rows").asInt()).isEqualTo(20);
      assertThat(job.path("runs")).hasSize(2);
      assertThat(job.path("runs").path(0).path("logEnd").asText()).isEqualTo("from 0\n");
      assertThat(job.path("runs").path(1).path("logEnd").asText()).isEqualTo("from 10\n");
    }
  }

  private static void awaitFile(Path file) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!Files.exists(file)) {
      assertThat(System.nanoTime()).as(file + " is written").isLessThan(deadline);
      LaunchedNode.pause();
    }
  }
}
