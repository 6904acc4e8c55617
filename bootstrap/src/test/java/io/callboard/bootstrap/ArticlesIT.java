package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.servers.KafkaServer;
import io.callboard.testkit.FreePorts;
import io.vertx.redis.client.Redis;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code callboard demo articles} as a user runs it. */
@Tag("long")
@Tag("real")
class ArticlesIT {
  private static final Duration LIMIT = Duration.ofSeconds(300);
  private static final String ARTICLE = "\\d{4}-[^:]*: \".*\", .., \\d+ names.*";

  private static List<String> arguments(Path data, String... more) {
    List<String> all = new ArrayList<>(List.of("demo", "articles", "--exit"));
    all.addAll(List.of("--data", data.toString()));
    all.addAll(List.of(more));
    return all;
  }

  private static LaunchedNode demo(Path data, String... more) throws IOException {
    return LaunchedNode.launch(Map.of(), arguments(data, more).toArray(String[]::new));
  }

  private static List<String> lines(LaunchedNode demo) throws Exception {
    assertThat(demo.exitCode(LIMIT)).as(demo.output() + demo.errors()).isZero();
    return demo.output().lines().toList();
  }

  @Test
  void articlesThatADirectoryAnnouncesAreIndexed() throws Exception {
    Path data = LaunchedNode.directory("articles");
    try (LaunchedNode demo = demo(data, "--articles", "20")) {
      assertThat(lines(demo))
          .anyMatch(line -> line.matches("Dashboard: http://127\\.0\\.0\\.1:\\d+/?"))
          .anyMatch(line -> line.startsWith("0001-ada-lovelace: \"Ada Lovelace\", en, "))
          .anyMatch(line -> line.contains("; fetched in attempt 2"))
          .anyMatch(line -> line.matches("The source took \\d+ messages and acknowledged 20; .*"))
          .filteredOn(line -> line.matches(ARTICLE))
          .hasSize(20);
      assertThat(demo.errors()).as("the log is in a file").doesNotContain("INFO");
      assertThat(demo.output().lines())
          .last()
          .asString()
          .startsWith("All 20 articles are in the index, each once; by language: {de=");
    }
    assertThat(data.resolve("articles/inbox")).isDirectoryNotContaining("glob:**.json");
    assertThat(data.resolve("articles/scratch")).isEmptyDirectory();
  }

  @Test
  void eachIsInTheIndexOnceThoughItsProcessWasKilled() throws Exception {
    try (LaunchedNode demo =
        demo(LaunchedNode.directory("articles"), "--articles", "40", "--crash")) {
      assertThat(lines(demo))
          .contains("The process is killed (SIGKILL), and started again.")
          .last()
          .asString()
          .startsWith("All 40 articles are in the index, each once");
    }
  }

  @Test
  void theMissingArtifactOfAKindIsNamed() throws Exception {
    Path data = LaunchedNode.directory("articles");
    try (LaunchedNode demo = demo(data, "--via", "kafka", "--url", "127.0.0.1:9092")) {
      assertThat(demo.exitCode(LIMIT)).isEqualTo(2);
      assertThat(demo.errors())
          .contains(
              "needs org.apache.kafka:kafka-clients on the class path", "CALLBOARD_CLASSPATH");
    }
  }

  @Test
  void aWrongAddressIsNamed() throws Exception {
    Path data = LaunchedNode.directory("articles");
    try (LaunchedNode demo = demo(data, "--via", "redis-stream", "--url", "localhost")) {
      assertThat(demo.exitCode(LIMIT)).isEqualTo(2);
      assertThat(demo.errors()).startsWith("callboard: --url: /sources/articles/settings/url: ");
    }
  }

  @Test
  void articlesThatRedisAnnouncesAreIndexed() throws Exception {
    boolean isThere =
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "redis-server")));
    if (!isThere) {
      String missing = "there is no redis-server on the path: install Debian's redis-server";
      assertThat(System.getenv("CALLBOARD_REQUIRE_REDIS")).as(missing).isNotEqualTo("true");
      Assumptions.abort(missing);
    }
    Path data = LaunchedNode.directory("articles");
    int port = FreePorts.one();
    Process redis =
        new ProcessBuilder(
                "redis-server", "--bind", "127.0.0.1", "--port", String.valueOf(port), "--save", "")
            .directory(data.toFile())
            .redirectErrorStream(true)
            .redirectOutput(data.resolve("redis.log").toFile())
            .start();
    try (LaunchedNode demo = via(data, Redis.class, "redis-stream", "redis://127.0.0.1:" + port)) {
      assertThat(lines(demo))
          .last()
          .asString()
          .startsWith("All 20 articles are in the index, each once");
    } finally {
      redis.destroyForcibly();
    }
  }

  @Test
  void articlesThatKafkaAnnouncesAreIndexed() throws Exception {
    Path data = LaunchedNode.directory("articles");
    try (KafkaServer kafka = KafkaServer.start(data)) {
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.address()))) {
        NewTopic topic = new NewTopic("callboard-articles", Optional.of(3), Optional.empty());
        var unused =
            admin.createTopics(List.of(topic)).all().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
      }
      try (LaunchedNode demo = via(data, Admin.class, "kafka", kafka.address())) {
        assertThat(lines(demo))
            .last()
            .asString()
            .startsWith("All 20 articles are in the index, each once");
      }
    }
  }

  /** Starts it with the client on the class path, as a user adds it. */
  private static LaunchedNode via(Path data, Class<?> ofClient, String kind, String url)
      throws Exception {
    String client =
        Path.of(ofClient.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    List<String> command = new ArrayList<>(List.of("-Xmx512m", "-cp"));
    command.add(LaunchedNode.jar() + File.pathSeparator + client);
    command.add(Main.class.getName());
    command.addAll(arguments(data, "--articles", "20", "--via", kind, "--url", url));
    return LaunchedNode.launch(Map.of(), QuickStart.java(command));
  }
}
