package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code vertx run} as a user types it, in processes of their own. */
@Tag("long")
@Tag("real")
class VertxRunIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration STOP = Duration.ofSeconds(20);
  private static final Pattern BACK = Pattern.compile("ball (\\d+) came back from (\\S+)");

  private static LaunchedNode vertx(String... arguments) throws IOException {
    String launcher = "io.callboard.bootstrap.CallboardLauncher";
    List<String> all = new ArrayList<>();
    all.addAll(List.of("-Xmx256m", "-cp", LaunchedNode.jar().toString(), launcher));
    all.addAll(List.of(arguments));
    return LaunchedNode.launch(Map.of(), QuickStart.java(all));
  }

  private static String conf(LaunchedNode node, String more) {
    return "{\"zookeeper\":\"%s\"%s}".formatted(node.zookeeper(), more);
  }

  @Test
  void messagesFlowBetweenTwoProcesses() throws Exception {
    Path data = LaunchedNode.directory("vertx");
    try (LaunchedNode node = LaunchedNode.start(data);
        LaunchedNode pong =
            vertx(
                "run",
                "io.callboard.examples.Pong",
                "-cluster",
                "-conf",
                conf(node, ",\"name\":\"pong-process\""));
        LaunchedNode ping =
            vertx(
                "run",
                "actor:io.callboard.examples.Ping",
                "-cluster",
                "-conf",
                conf(node, ",\"actor\":{\"path\":\"/game/ping\",\"zone\":\"blocking\"}"))) {
      Eventually.assertThat(
          LIMIT,
          () -> {
            try {
              Matcher back = BACK.matcher(ping.errors());
              int balls = 0;
              while (back.find()) {
                assertThat(back.group(2)).isEqualTo("pong-process");
                balls++;
              }
              assertThat(balls).as(ping.errors() + pong.errors()).isGreaterThan(2);
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          });
      ping.terminate();
      assertThat(ping.exitCode(STOP)).isIn(0, 143);
      assertThat(ping.errors()).doesNotContain("did not close cleanly");
    }
  }

  @Test
  void mistakesAreToldInOneLine() throws Exception {
    try (LaunchedNode nowhere = // which waits for its ensemble meanwhile
        vertx(
            "run",
            "io.callboard.examples.Greeter",
            "-cluster",
            "-conf",
            "{\"zookeeper\":\"127.0.0.1:1\"}")) {
      fails(15, "there is no class com.acme.Nope", "run", "com.acme.Nope");
      fails(15, "java.lang.String is no verticle", "run", "java.lang.String");
      fails(15, "there is no class com.acme.Nope", "run", "actor:com.acme.Nope");
      fails(
          15,
          "is not an actor: it must extend io.callboard.Actor",
          "run",
          "actor:java.lang.String");
      fails(
          15,
          "actor options: /zoen: is unknown",
          "run",
          "actor:io.callboard.examples.Greeter",
          "-conf",
          "{\"actor\":{\"zoen\":\"x\"}}");
      fails(1, "ZooKeeper 127.0.0.1:1 cannot be reached", nowhere);
    }
  }

  @Test
  void aBadConfigurationIsToldInOneLine() throws Exception {
    String greeter = "io.callboard.examples.Greeter";
    for (String conf : List.of("{\"cell\":", "nope.json", "{\"cell\":\"a\",\"cell\":\"b\"}")) {
      try (LaunchedNode run = vertx("run", greeter, "-conf", conf)) {
        assertThat(run.exitCode(LIMIT)).as(run.errors()).isEqualTo(2);
        assertThat(run.errors().lines()).hasSize(1);
        assertThat(run.errors()).startsWith("vertx: -conf");
      }
    }
    fails(
        2,
        "-conf: /zookeper: is unknown; did you mean \"zookeeper\"?",
        "run",
        "actor:" + greeter,
        "-conf",
        "{\"zookeper\":\"127.0.0.1:1\"}");
    fails(
        15,
        "actor options: /turnTimeout: must be an ISO 8601 duration such as PT30S, not the text \"5s\"",
        "run",
        "actor:" + greeter,
        "-conf",
        "{\"actor\":{\"turnTimeout\":\"5s\"}}");
  }

  private static void fails(int code, String message, String... arguments) throws Exception {
    try (LaunchedNode run = vertx(arguments)) {
      fails(code, message, run);
    }
  }

  private static void fails(int code, String message, LaunchedNode run) throws Exception {
    assertThat(run.exitCode(LIMIT)).as(run.errors()).isEqualTo(code);
    assertThat(run.errors()).contains(message).doesNotContain("\tat ");
  }
}
