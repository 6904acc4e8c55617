package io.callboard.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.dashboard.internal.auth.TestUsers;
import io.callboard.dashboard.internal.contract.Role;
import io.callboard.testkit.ManualTime;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Addresses of clients behind proxies that a node knows. */
@Tag("real")
class ProxiesTest {
  @TempDir static Path data;
  private static final ManualTime time = new ManualTime(Instant.now());
  @AutoClose private static TestNode node;

  @BeforeAll
  static void start() {
    Path users = TestUsers.write(data.resolve("users"), TestUsers.text());
    node =
        new TestNode(
            data,
            TestNode.options()
                .clock(time.clock())
                .auth(
                    new AuthOptions(
                        Optional.of(users),
                        Optional.empty(),
                        AuthOptions.DEFAULT_IDLE,
                        AuthOptions.DEFAULT_MOST,
                        List.of("127.0.0.1", "10.9.9.9"))));
  }

  private static HttpResponse<String> login(String password, String... hops) {
    HttpRequest.Builder request =
        node.request("/api/v1/session")
            .header("Content-Type", "application/json")
            .POST(
                BodyPublishers.ofString(
                    "{\"user\":\"operator\",\"password\":\"%s\"}".formatted(password)));
    time.advance(Duration.ofMillis(1)); // the audit is in the order of time
    for (String hop : hops) {
      request.header("X-Forwarded-For", hop);
    }
    return node.send(request);
  }

  private static String from() {
    HttpResponse<String> audit =
        node.send(
            node.request("/api/v1/audit").header("Authorization", TestUsers.basic(Role.OPERATOR)));
    JsonNode items = TestNode.json(audit).path("items");
    return items.path(0).path("from").asText();
  }

  @Test
  void theLastHopThatIsNoKnownProxyIsTheClient() {
    assertThat(login("wrong1", "1.1.1.1, 192.0.2.1", "10.9.9.9").statusCode()).isEqualTo(401);
    assertThat(from()).isEqualTo("192.0.2.1");
    assertThat(login("wrong2").statusCode()).isEqualTo(401);
    assertThat(from()).isEqualTo("127.0.0.1");
    assertThat(login("wrong3", "1.1.1.1, rubbish").statusCode()).isEqualTo(401);
    assertThat(from()).isEqualTo("127.0.0.1");
  }

  @Test
  void oneClientOfAProxyLocksNoOtherOut() {
    HttpRequest.Builder wrong =
        node.request("/api/v1/types")
            .header("Authorization", TestUsers.basic("operator", TestUsers.WRONG))
            .header("X-Forwarded-For", "192.0.2.7");
    for (int i = 0; i < 5; i++) {
      assertThat(node.send(wrong).statusCode()).isEqualTo(401);
    }
    String right = TestUsers.password(Role.OPERATOR);
    assertThat(login(right, "192.0.2.7").statusCode()).isEqualTo(429);
    assertThat(login(right, "192.0.2.8").statusCode()).isEqualTo(200);
  }
}
