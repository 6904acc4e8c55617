package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.cell.NodeVersion;
import io.callboard.codecs.Json;
import io.callboard.testkit.Eventually;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The distribution as a user unpacks it, without Maven and the sources, on the newest Java of this
 * machine, which says most.
 */
@Tag("long")
@Tag("real")
class DistributionIT {
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final Path CONF = Path.of("..", "conf");
  private static final Pattern PATH = Pattern.compile("/opt/callboard/([\\w./-]+\\w)");

  private static Path home = Path.of("");

  @BeforeAll
  static void unpack() throws Exception {
    String name = "callboard-" + NodeVersion.version();
    Path archive = Path.of("target", name + ".tar.gz").toAbsolutePath();
    assertThat(archive).as("the distribution, which -Pfast leaves out").isRegularFile();
    Path directory = LaunchedNode.directory("dist – ü");
    run(List.of("tar", "xzf", archive.toString(), "-C", directory.toString()), 0);
    home = directory.resolve(name);
    try (Stream<Path> kinds = Files.list(home.resolve("lib/sources"))) {
      assertThat(kinds.map(kind -> kind.getFileName().toString()))
          .containsExactlyInAnyOrder("kafka", "rabbitmq", "redis", "sqs");
    }
  }

  /** Returns the environment of a user who has the newest Java, and keeps no archive of classes. */
  private static Map<String, String> environment() throws IOException {
    Optional<Path> newest;
    try (Stream<Path> all = Files.list(Path.of("/usr/lib/jvm"))) {
      newest =
          all.filter(java -> Files.isExecutable(java.resolve("bin/java")))
              .max(Comparator.comparing(DistributionIT::version));
    }
    return Map.of(
        "JAVA_HOME",
        newest.map(Path::toString).orElse(System.getProperty("java.home")),
        "HOME",
        "",
        "XDG_CACHE_HOME",
        "");
  }

  private static int version(Path java) {
    try {
      return Pattern.compile("JAVA_VERSION=\"(\\d+)")
          .matcher(Files.readString(java.resolve("release")))
          .results()
          .mapToInt(each -> Integer.parseInt(each.group(1)))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0; // a folder that holds no JDK
    }
  }

  private static LaunchedNode launch(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/callboard").toString()));
    command.addAll(List.of(arguments));
    return LaunchedNode.launch(environment(), command);
  }

  private static String run(List<String> command, int code) throws Exception {
    try (LaunchedNode process = LaunchedNode.launch(environment(), command)) {
      assertThat(process.exitCode(LIMIT)).as(process.output() + process.errors()).isEqualTo(code);
      return process.output() + process.errors();
    }
  }

  private static LaunchedNode node(String data, String... more) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--data", home.resolve(data).toString()));
    arguments.addAll(List.of("--http-port", "0", "--zookeeper-port", "0"));
    arguments.addAll(List.of(more));
    LaunchedNode node = launch(arguments.toArray(String[]::new));
    try {
      node.awaitReady(LIMIT);
      return node;
    } catch (AssertionError | IOException e) {
      node.close(); // or it would run until the machine stops
      throw e;
    }
  }

  @Test
  void aNodeStartsQuietlyRunsAJobOfItsCommandLineAndStops() throws Exception {
    List<String> check = healthCheck();
    try (LaunchedNode node = node("quiet")) {
      assertThat(node.errors()).as("on the newest Java").isEmpty();
      try (LaunchedNode submit =
          launch("submit", "--wait", "--url", node.url(), "--", "echo", "hello")) {
        assertThat(submit.exitCode(LIMIT)).as(submit.errors()).isZero();
        assertThat(submit.output()).contains("hello");
        assertThat(submit.errors()).isEmpty();
      }
      String port = node.url().replaceFirst(".*:", "");
      assertThat(health(check, port)).as("the health check of the image").isZero();
      node.terminate();
      assertThat(node.exitCode(LIMIT)).isZero();
      assertThat(node.errors()).as("as it was stopped").isEmpty();
      assertThat(health(check, port)).as("of a node that has stopped").isNotZero();
    }
  }

  /** Returns the command of the image's health check. */
  private static List<String> healthCheck() throws IOException {
    String image = Files.readString(CONF.resolve("container/Containerfile"));
    String command = image.replaceFirst("(?s).*HEALTHCHECK.*?CMD (\\[[^\\n]*]).*", "$1");
    List<String> words = new ArrayList<>();
    Json.parse("the health check", command.getBytes(StandardCharsets.UTF_8))
        .forEach(word -> words.add(word.asText()));
    assertThat(words).startsWith("bash", "-c");
    return words;
  }

  private static int health(List<String> check, String port) throws Exception {
    List<String> command = new ArrayList<>(List.of("env", "CALLBOARD_HTTP_PORT=" + port));
    command.addAll(check);
    try (LaunchedNode process = LaunchedNode.launch(environment(), command)) {
      return process.exitCode(LIMIT);
    }
  }

  /** Nothing listens where the sources look: what a client says of that shows that it is there. */
  @Test
  void theClientOfEachKindOfSourceIsThere() throws Exception {
    Path conf =
        Files.writeString(
            home.resolve("sources.yaml"),
            """
            sources:
              kafka: {kind: kafka, settings: {servers: "127.0.0.1:1", topic: t, group: g}, start: {workflow: x}}
              rabbitmq: {kind: rabbitmq, settings: {uri: "amqp://127.0.0.1:1", queue: q}, start: {workflow: x}}
              redis: {kind: redis-list, settings: {url: "redis://127.0.0.1:1", list: q}, start: {workflow: x}}
              sqs: {kind: sqs, settings: {queue: q, region: eu-1, accessKeyId: a, secretAccessKey: b, endpoint: "http://127.0.0.1:1"}, start: {workflow: x}}
            """);
    try (LaunchedNode node = node("sources", "--conf", conf.toString())) {
      Eventually.assertThat(
          LIMIT,
          () ->
              assertThat(why(node))
                  .hasEntrySatisfying("kafka", why -> assertThat(why).contains("TimeoutException"))
                  .hasEntrySatisfying("rabbitmq", why -> assertThat(why).contains("refused"))
                  .hasEntrySatisfying("redis", why -> assertThat(why).contains("refused"))
                  .hasEntrySatisfying("sqs", why -> assertThat(why).contains("refused")));
    }
  }

  private static Map<String, String> why(LaunchedNode node) {
    Map<String, String> all = new HashMap<>();
    try {
      byte[] body = node.get("/api/v1/sources").body().getBytes(StandardCharsets.UTF_8);
      for (JsonNode each : Json.parse("the answer", body).path("items")) {
        all.put(each.path("name").asText(), each.path("why").asText());
      }
    } catch (IOException e) {
      throw new AssertionError("no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
    return all;
  }

  @Test
  void aDemoRuns() throws Exception {
    try (LaunchedNode demo = launch("demo", "account", "--data", home.resolve("demo").toString())) {
      assertThat(demo.exitCode(LIMIT)).as(demo.errors()).isZero();
      assertThat(demo.output()).contains("moved money 1000 times of 1000", "sum 1000000");
    }
  }

  @Test
  void pathsOfContainersAndOfTheUnitAreInTheDistribution() throws IOException {
    TreeSet<String> named = new TreeSet<>();
    for (String file :
        List.of("container/Containerfile", "container/compose.yaml", "systemd/callboard.service")) {
      PATH.matcher(Files.readString(CONF.resolve(file)))
          .results()
          .map((MatchResult each) -> each.group(1))
          .forEach(named::add);
    }
    assertThat(named)
        .contains("bin/callboard", "lib/callboard.jar")
        .allSatisfy(path -> assertThat(home.resolve(path)).exists());
    assertThat(home.resolve("docs/guides/deploy.md")).exists();
    assertThat(home.resolve("README.md")).content().contains("bin/callboard");
    assertThat(home.resolve("conf/kubernetes/callboard.yaml")).exists();
  }

  @Test
  void systemdAcceptsTheUnit() throws Exception {
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/systemd-analyze")),
        "the unit is NOT verified: there is no /usr/bin/systemd-analyze");
    Path unit = Files.createDirectories(home.resolve("unit")).resolve("callboard.service");
    Path link = LaunchedNode.directory("unit").resolve("callboard");
    Files.createSymbolicLink(link, home); // a unit writes special characters in another way
    Files.writeString(
        unit,
        Files.readString(CONF.resolve("systemd/callboard.service"))
            .replace("/opt/callboard", link.toString()));
    assertThat(run(List.of("systemd-analyze", "verify", unit.toString()), 0)).isEmpty();
    assertThat(run(List.of("systemd-analyze", "security", "--offline=true", unit.toString()), 0))
        .containsPattern("Overall exposure level for callboard.service: [012]\\.\\d OK");
  }
}
