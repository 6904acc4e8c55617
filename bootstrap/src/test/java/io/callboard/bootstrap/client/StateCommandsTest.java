package io.callboard.bootstrap.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Rebuilt states, of one actor and of many, with a node whose answers are scripted. */
class StateCommandsTest {
  private static final String NO_EVENTS =
      "{\"code\":\"NO_EVENTS\",\"detail\":\"/a/3 has no events to restore from\"}";
  private static final String INVALID =
      "{\"code\":\"INVALID\",\"errors\":[{\"pointer\":\"/why\",\"detail\":\"has 1001 characters\"}]}";
  private static final String ITEMS =
      "{\"items\":[%s],\"zones\":[],\"truncated\":false}"
          .formatted(
              "{\"path\":\"/a/1\",\"durable\":true},{\"path\":\"/a/2\",\"durable\":true},"
                  + "{\"path\":\"/a/3\",\"durable\":true},{\"path\":\"/a/4\",\"durable\":false}");

  private final StringWriter out = new StringWriter();
  private final List<String> asked = new ArrayList<>();
  private HttpServer server;
  private String items = ITEMS;
  private boolean isInvalid;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/api/v1/actors",
        exchange -> {
          String path = exchange.getRequestURI().getRawPath().substring("/api/v1/actors".length());
          asked.add(
              path
                  + " "
                  + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          boolean invalid = isInvalid && !path.isEmpty();
          int status = path.contains("/2/") ? 409 : path.contains("/3/") || invalid ? 422 : 200;
          String answer =
              path.isEmpty()
                  ? items
                  : invalid
                      ? INVALID
                      : status == 409 ? "{\"detail\":\"event 1 is missing\"}" : NO_EVENTS;
          byte[] body = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private int run(String... arguments) {
    CommandLine command =
        ActorCommands.all().setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    return command.execute(
        Stream.concat(Stream.of(arguments), Stream.of("--url", url)).toArray(String[]::new));
  }

  @Test
  void theStateOfOneActorIsRebuilt() {
    assertThat(run("refold", "/a/1", "--why", "tax")).isZero();
    assertThat(asked).containsExactly("/a/1/refold {\"why\":\"tax\"}");
    assertThat(out.toString()).contains("the state of /a/1 was rebuilt from all its events");
  }

  @Test
  void theStateOfOneActorIsRestored() {
    assertThat(run("restore", "/a/1", "34")).isZero();
    assertThat(asked)
        .singleElement()
        .asString()
        .startsWith("/a/1/restore")
        .contains("\"event\":34");
    assertThat(out.toString())
        .contains("the state of /a/1 was restored to what it was after event 34");
  }

  @Test
  void ofManyThoseThatCannotAreNamed() {
    assertThat(run("refold", "--within", "/a")).isEqualTo(1);
    assertThat(asked).hasSize(4);
    assertThat(out.toString())
        .contains("/a/2: event 1 is missing")
        .contains("states rebuilt from all events: 1, actors without events: 1, refused: 1");
  }

  @Test
  void aRequestThatIsInvalidEndsTheCommand() {
    isInvalid = true;
    assertThat(run("refold", "--within", "/a")).isEqualTo(1);
    assertThat(asked).hasSize(2);
    assertThat(out.toString()).contains("why: has 1001 characters");
  }

  @Test
  void aPathWithNothingToRebuildIsReported() {
    items = "{\"items\":[],\"zones\":[],\"truncated\":false}";
    assertThat(run("refold", "--within", "nopath")).isEqualTo(1);
    assertThat(asked).hasSize(1);
    assertThat(out.toString()).contains("0 durable actors run on the node at or below nopath");
  }

  @Test
  void actorsWithoutEventsAreCountedAndNoStateIsRebuilt() {
    items = "{\"items\":[{\"path\":\"/a/3\",\"durable\":true}],\"truncated\":false}";
    assertThat(run("refold", "--within", "/a")).isEqualTo(1);
    assertThat(out.toString())
        .contains("states rebuilt from all events: 0, actors without events: 1, refused: 0");
  }

  @Test
  void asJsonThereAreTheCountsAndWhatWasRefused() {
    assertThat(run("refold", "--within", "/a", "--json")).isEqualTo(1);
    assertThat(out.toString())
        .isEqualToIgnoringNewLines(
            "{\"found\":3,\"rebuilt\":1,\"withoutEvents\":1,"
                + "\"refused\":[{\"path\":\"/a/2\",\"detail\":\"event 1 is missing\"}],\"truncated\":false}");
  }

  @Test
  void aPathIsEncoded() {
    for (String path : List.of("/a b", "/a%2", "/a?x=1", "/a#b", "/ä", "a+b@c")) {
      int unused = run("refold", path);
    }
    assertThat(asked)
        .extracting(line -> line.substring(0, line.indexOf(' ')))
        .containsExactly(
            "/a%20b/refold",
            "/a%252/refold",
            "/a%3Fx%3D1/refold",
            "/a%23b/refold",
            "/%C3%A4/refold",
            "/a%2Bb%40c/refold");
  }

  @Test
  void aPathOrWithinIsRequired() {
    assertThat(run("refold")).isEqualTo(2);
    assertThat(out.toString()).contains("give the PATH of one actor, or --within PATH");
  }
}
