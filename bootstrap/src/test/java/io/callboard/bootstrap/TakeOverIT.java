package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.testkit.Eventually;
import io.callboard.zookeeper.EmbeddedZooKeeper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes that freeze and die, and others that take over long before the session is over. */
@Tag("long")
@Tag("real")
class TakeOverIT {
  private static final String ROLE = "grid-monitor";
  private static final Duration SESSION = Duration.ofSeconds(40);

  /** Far less than the session: what is seen is the detector's. */
  private static final Duration SOON = Duration.ofSeconds(15);

  /** For nodes that have just started, or gone on, on a busy machine. */
  private static final Duration SETTLED = Duration.ofSeconds(60);

  private final Map<String, LaunchedNode> nodes = new LinkedHashMap<>();

  private static JsonNode role(LaunchedNode node) {
    try {
      byte[] body = node.get("/api/v1/roles").body().getBytes(StandardCharsets.UTF_8);
      for (JsonNode role : Json.read("roles", body, JsonNode.class).path("items")) {
        if (role.path("name").asText().equals(ROLE)) {
          return role;
        }
      }
      throw new AssertionError("no role " + ROLE + " yet");
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private LaunchedNode node(String name) {
    return Objects.requireNonNull(nodes.get(name), name);
  }

  private String whoHasNot(String... parts) {
    List<String> taken = List.of(parts);
    return nodes.keySet().stream().filter(name -> !taken.contains(name)).findFirst().orElseThrow();
  }

  /** Waits until it is held and stood by for, as that node sees it. */
  private JsonNode settled(LaunchedNode seenBy) {
    AtomicReference<JsonNode> seen = new AtomicReference<>();
    Eventually.assertThat(
        SETTLED,
        () -> {
          seen.set(role(seenBy));
          assertThat(seen.get().path("holder").asText()).isNotEmpty();
          assertThat(seen.get().path("standby").asText()).isNotEmpty();
        });
    return seen.get();
  }

  private static void takenOver(LaunchedNode seenBy, String from, long epoch, String cause) {
    Eventually.assertThat(
        SOON,
        () -> {
          JsonNode failovers = role(seenBy).path("failovers");
          JsonNode last = failovers.path(failovers.size() - 1);
          assertThat(last.path("epoch").asLong()).isGreaterThan(epoch);
          assertThat(last.path("from").asText()).isEqualTo(from);
          assertThat(last.path("cause").asText()).isEqualTo(cause);
          assertThat(last.path("gap").asText()).isNotEmpty();
          assertThat(Duration.parse(last.path("gap").asText())).isLessThan(SOON);
        });
  }

  private static void signal(String signal, LaunchedNode node) throws Exception {
    Process kill = new ProcessBuilder("kill", signal, String.valueOf(node.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  @Test
  void nodesThatAreFrozenAndKilledInShortOrderAreReplacedWithinSeconds() throws Exception {
    Path data = LaunchedNode.directory("take-over");
    try (EmbeddedZooKeeper server =
        EmbeddedZooKeeper.start(
            data.resolve("zookeeper"),
            0,
            failure -> {
              throw new AssertionError(failure);
            })) {
      for (String name : List.of("a", "b", "c")) {
        Path home = data.resolve(name);
        String servers = server.connectString();
        String session = SESSION.toString();
        nodes.put(
            name,
            LaunchedNode.start(
                home, "--name", name, "--zookeeper", servers, "--session-timeout", session));
      }
      JsonNode first = settled(node("a"));
      String frozen = first.path("holder").asText();
      LaunchedNode witness = node(whoHasNot(frozen));
      signal("-STOP", node(frozen));
      takenOver(witness, frozen, first.path("epoch").asLong(), "SILENT");
      signal("-CONT", node(frozen));

      JsonNode second = settled(witness);
      String holder = second.path("holder").asText();
      String standby = second.path("standby").asText();
      LaunchedNode last = node(whoHasNot(holder, standby));
      node(standby).kill();
      node(holder).kill();
      takenOver(last, holder, second.path("epoch").asLong(), "PROCESS_GONE");
    } finally {
      nodes.values().forEach(LaunchedNode::close);
    }
  }
}
