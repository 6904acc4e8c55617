package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The login of a command from the environment. */
class LoginEnvironmentTest {
  private final List<String> logins = new CopyOnWriteArrayList<>();
  private HttpServer node;

  @BeforeEach
  void start() throws IOException {
    node = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    node.createContext(
        "/",
        exchange -> {
          logins.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
          byte[] body = "{\"items\":[]}".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    node.start();
  }

  @AfterEach
  void stop() {
    node.stop(0);
  }

  private CommandRun types(Map<String, String> environment, String... more) {
    Map<String, String> all = new HashMap<>(environment);
    all.put("CALLBOARD_URL", "http://127.0.0.1:" + node.getAddress().getPort());
    List<String> arguments = new ArrayList<>(List.of("types"));
    arguments.addAll(List.of(more));
    return CommandRun.of(arguments, all);
  }

  private static String basic(String pair) {
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void userAndPasswordOrATokenMayComeFromThere() {
    Map<String, String> user = Map.of("CALLBOARD_USER", "ann", "CALLBOARD_PASSWORD", "s3cret");
    assertThat(types(user).code()).isZero();
    assertThat(types(user, "--user", "bob").code()).isZero();
    assertThat(types(Map.of("CALLBOARD_TOKEN", "a.b.c")).code()).isZero();
    assertThat(logins).containsExactly(basic("ann:s3cret"), basic("bob:s3cret"), "Bearer a.b.c");
  }

  @Test
  void withoutATerminalAPasswordThatIsNowhereIsAskedForInWords() {
    types(Map.of(), "--user", "ann")
        .failed(2, "there is no terminal to ask for the password of ann: set CALLBOARD_PASSWORD");
    assertThat(logins).isEmpty();
  }
}
