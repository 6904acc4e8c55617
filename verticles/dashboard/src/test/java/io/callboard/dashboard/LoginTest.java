package io.callboard.dashboard;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.dashboard.internal.auth.TestUsers;
import io.callboard.dashboard.internal.contract.Role;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.LogCapture;
import io.callboard.testkit.ManualTime;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketConnectOptions;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Login to a real node with a users file: password, session, and what ends it. */
@Tag("real")
class LoginTest {
  private static final String SESSION = "/api/v1/session";
  private static final String WRONG = "the user or the password is wrong";

  @TempDir static Path data;

  /** Time of the node and of its dashboard, which stands still but where a test moves it. */
  private static final ManualTime time = new ManualTime(Instant.now());

  private static Path users;
  private static TestNode node;

  @BeforeAll
  static void start() {
    String text =
        TestUsers.text()
            + "\n"
            + TestUsers.line("dora", Role.ADMIN)
            + "\n"
            + TestUsers.line("pat", Role.VIEWER)
            + "\n"
            + TestUsers.line("kim", Role.VIEWER);
    users = TestUsers.write(data.resolve("users"), text);
    node =
        TestNode.withTime(
            data,
            TestNode.options().auth(AuthOptions.users(users)).allowHost("callboard.example"),
            time);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static HttpResponse<String> login(String user, String password) {
    return node.post(SESSION, "{\"user\":\"%s\",\"password\":\"%s\"}".formatted(user, password));
  }

  private static String cookie(HttpResponse<String> login) {
    return login.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0];
  }

  private static String session(String user, Role role) {
    HttpResponse<String> login = login(user, TestUsers.password(role));
    assertThat(login.statusCode()).as(login.body()).isEqualTo(200);
    return cookie(login);
  }

  private static HttpResponse<String> get(String path, String header, String value) {
    return node.send(node.request(path).header(header, value));
  }

  /** Fails to log in, without the cost of a hash. */
  private static HttpResponse<String> wrong(String user) {
    return get("/api/v1/types", "Authorization", TestUsers.basic(user, TestUsers.WRONG));
  }

  private static HttpResponse<String> logout(String cookie) {
    return node.send(
        node.request(SESSION)
            .header("Cookie", cookie)
            .header("Content-Type", "application/json")
            .DELETE());
  }

  private static String detail(HttpResponse<String> answer) {
    return TestNode.json(answer).path("detail").asText();
  }

  @Test
  void withoutALoginOnlyThePageHealthAndTheLoginItselfAnswer() {
    assertThat(node.get("/api/v1/jobs").statusCode()).isEqualTo(401);
    assertThat(node.get("/metrics").statusCode()).isEqualTo(401);
    assertThat(node.get("/").statusCode()).isEqualTo(200);
    assertThat(node.get("/healthz").statusCode()).isEqualTo(200);
    JsonNode session = TestNode.json(node.get(SESSION));
    assertThat(session.path("login").asBoolean()).isTrue();
    assertThat(session.path("role").asText()).isEqualTo("anyone");
    assertThat(session.has("user")).isFalse();
  }

  @Test
  void aSessionIsACookieThatNoScriptSeesAndNoOtherSiteSends() {
    HttpResponse<String> login = login("operator", TestUsers.password(Role.OPERATOR));
    assertThat(login.headers().firstValue("Set-Cookie").orElseThrow())
        .startsWith("callboard-session-" + node.front.port() + "=")
        .containsIgnoringCase("HttpOnly")
        .containsIgnoringCase("SameSite=Strict")
        .doesNotContainIgnoringCase("Secure");
    assertThat(TestNode.json(login).path("user").asText()).isEqualTo("operator");
    assertThat(get("/api/v1/jobs", "Cookie", cookie(login)).statusCode()).isEqualTo(200);
    JsonNode session = TestNode.json(get(SESSION, "Cookie", cookie(login)));
    assertThat(session.path("role").asText()).isEqualTo("operator");
  }

  @Test
  void behindAProxyWithTlsTheCookieIsSentOverTlsOnly() {
    HttpResponse<String> login =
        node.send(
            node.request(SESSION)
                .header("Host", "callboard.example")
                .header("Origin", "https://callboard.example")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"user\":\"admin\",\"password\":\"adminadmin\"}")));
    assertThat(login.headers().firstValue("Set-Cookie").orElseThrow())
        .containsIgnoringCase("Secure");
  }

  @Test
  void anUnknownUserAndAWrongPasswordAreAnsweredAlike() {
    HttpResponse<String> unknown = login("nobody", "whatever1");
    HttpResponse<String> wrong = login("admin", "whatever1");
    assertThat(unknown.statusCode()).isEqualTo(401);
    assertThat(wrong.body()).isEqualTo(unknown.body());
    assertThat(detail(wrong)).isEqualTo(WRONG);
    assertThat(wrong.headers().firstValue("Set-Cookie")).isEmpty();
    assertThat(detail(get("/api/v1/jobs", "Authorization", TestUsers.basic("admin", "whatever1"))))
        .isEqualTo(WRONG);
  }

  @Test
  void failedLoginsAreBraked() {
    for (int i = 0; i < 5; i++) {
      assertThat(wrong("mallory").statusCode()).isEqualTo(401);
    }
    HttpResponse<String> braked = login("mallory", "wrong");
    assertThat(braked.statusCode()).isEqualTo(429);
    assertThat(detail(braked)).contains("the next attempt may be made in");
    assertThat(braked.headers().firstValue("Retry-After")).isPresent();
    time.advance(Duration.ofSeconds(1));
    assertThat(wrong("mallory").statusCode()).as("after a second").isEqualTo(401);
    assertThat(login("mallory", "wrong").statusCode()).isEqualTo(429);
    assertThat(login("viewer", TestUsers.password(Role.VIEWER)).statusCode()).isEqualTo(200);
  }

  @Test
  void aPasswordThatWasRightPassesTheBrakeFromItsAddress() {
    assertThat(login("kim", TestUsers.password(Role.VIEWER)).statusCode()).isEqualTo(200);
    for (int i = 0; i < 5; i++) {
      assertThat(wrong("kim").statusCode()).isEqualTo(401);
    }
    assertThat(login("kim", "wrong").statusCode()).isEqualTo(429);
    assertThat(login("kim", TestUsers.password(Role.VIEWER)).statusCode()).isEqualTo(200);
  }

  @Test
  void programsSendThePasswordWithEachRequest() {
    String viewer = TestUsers.basic(Role.VIEWER);
    assertThat(get("/api/v1/jobs", "Authorization", viewer).statusCode()).isEqualTo(200);
    assertThat(get("/api/v1/jobs", "Authorization", viewer).statusCode()).isEqualTo(200);
    HttpResponse<String> bad = get("/api/v1/jobs", "Authorization", "Basic !!!");
    assertThat(bad.statusCode()).isEqualTo(401);
    assertThat(bad.headers().firstValue("WWW-Authenticate")).contains("Basic realm=\"Callboard\"");
    assertThat(detail(get("/api/v1/jobs", "Authorization", "Bearer x")))
        .isEqualTo("this node takes an Authorization header with Basic");
  }

  @Test
  void manyRequestsAtOnceWithTheRightPasswordAreOneAttempt() {
    String basic = TestUsers.basic("pat", TestUsers.password(Role.VIEWER));
    List<Integer> answers =
        IntStream.range(0, 32)
            .parallel()
            .mapToObj(i -> get("/api/v1/types", "Authorization", basic).statusCode())
            .toList();
    assertThat(answers).containsOnly(200);
  }

  @Test
  void aPageIsNotToldToAskForAPasswordItself() {
    Map<String, String> sentByBrowsers =
        Map.of(
            "Sec-Fetch-Site", "same-origin",
            "Cookie", "a=b",
            "Referer", "http://localhost/",
            "Origin", node.uri("").toString(),
            "Accept-Language", "de");
    sentByBrowsers.forEach(
        (name, value) -> {
          HttpResponse<String> refused = get("/api/v1/jobs", name, value);
          assertThat(refused.statusCode()).as(name).isEqualTo(401);
          assertThat(refused.headers().firstValue("WWW-Authenticate").orElseThrow())
              .as(name)
              .doesNotContain("Basic");
        });
  }

  @Test
  void aWriteThatIsRefusedBeforeAnOperationIsInTheAudit() {
    HttpRequest.Builder foreign =
        node.request("/api/v1/types/process/resume")
            .header("Origin", "http://evil.example")
            .header("Content-Type", "application/json");
    assertThat(node.send(foreign.POST(BodyPublishers.noBody())).statusCode()).isEqualTo(403);
    HttpRequest.Builder wrong =
        node.request("/api/v1/types/process/resume%0A")
            .header("Authorization", TestUsers.basic("nobody", "whatever1"))
            .header("Content-Type", "application/json");
    assertThat(node.send(wrong.POST(BodyPublishers.noBody())).statusCode()).isEqualTo(401);
    HttpRequest.Builder unknown =
        node.request("/api/v1/types/process/resume").header("Content-Type", "application/json");
    assertThat(node.send(unknown.POST(BodyPublishers.noBody())).statusCode()).isEqualTo(401);
    JsonNode items =
        TestNode.json(get("/api/v1/audit", "Authorization", TestUsers.basic(Role.OPERATOR)))
            .path("items");
    assertThat(items)
        .filteredOn(each -> each.path("subject").asText().contains("/types/process/resume"))
        .extracting(
            each ->
                "%s %s %s"
                    .formatted(
                        each.path("user").asText(),
                        each.path("operation").asText(),
                        each.path("status").asInt()))
        .containsExactly("- resumeType 401", "- - 401", "- - 403");
  }

  @Test
  void aSecondLoginEndsTheSessionWhoseCookieItReplaces() {
    String first = session("viewer", Role.VIEWER);
    HttpResponse<String> second =
        node.send(
            node.request(SESSION)
                .header("Cookie", first)
                .header("Content-Type", "application/json")
                .POST(
                    BodyPublishers.ofString(
                        "{\"user\":\"viewer\",\"password\":\"viewerviewer\"}")));
    assertThat(get("/api/v1/jobs", "Cookie", cookie(second)).statusCode()).isEqualTo(200);
    assertThat(get("/api/v1/jobs", "Cookie", first).statusCode()).isEqualTo(401);
  }

  private WebSocketConnectOptions socket() {
    return new WebSocketConnectOptions()
        .setHost("127.0.0.1")
        .setPort(node.front.port())
        .setURI("/ws")
        .addSubProtocol("callboard.v1+json");
  }

  /** Connects; completes with the code with which the socket was closed. */
  private CompletableFuture<Short> connect(String cookie) {
    WebSocket socket = await(node.sockets.connect(socket().addHeader("Cookie", cookie)));
    CompletableFuture<Short> closed = new CompletableFuture<>();
    socket.closeHandler(v -> closed.complete(socket.closeStatusCode()));
    var unused = socket.writeTextMessage("{\"t\":\"hello\"}");
    return closed;
  }

  /** Returns the code with which a socket is closed, while the time goes on by its ticks. */
  private static short code(CompletableFuture<Short> closed) {
    Eventually.isTrue(
        "it is closed",
        () -> {
          time.advance(Duration.ofMillis(100));
          return closed.isDone();
        });
    return closed.join();
  }

  @Test
  void aWebSocketNeedsALoginAndEndsWithTheSession() throws Exception {
    assertThatThrownBy(() -> await(node.sockets.connect(socket())))
        .isInstanceOfSatisfying(
            UpgradeRejectedException.class, e -> assertThat(e.getStatus()).isEqualTo(401));
    String cookie = session("viewer", Role.VIEWER);
    String other = session("viewer", Role.VIEWER);
    CompletableFuture<Short> closed = connect(cookie);
    CompletableFuture<Short> stays = connect(other);
    HttpResponse<String> out = logout(cookie);
    assertThat(out.statusCode()).isEqualTo(204);
    assertThat(out.headers().firstValue("Set-Cookie").orElseThrow()).contains("Max-Age=0");
    assertThat(code(closed)).isEqualTo((short) 4401);
    assertThat(get("/api/v1/jobs", "Cookie", cookie).statusCode()).isEqualTo(401);
    assertThat(get("/api/v1/jobs", "Cookie", other).statusCode()).isEqualTo(200);
    assertThat(stays).isNotDone();
  }

  @Test
  void aUserStaysWhileTheFileIsBrokenAndIsOutWhenTakenOutOfIt() throws Exception {
    String cookie = session("dora", Role.ADMIN);
    String basic = TestUsers.basic("dora", TestUsers.password(Role.ADMIN));
    CompletableFuture<Short> closed = connect(cookie);
    String before = Files.readString(users);
    try (LogCapture log = LogCapture.of("io.callboard.dashboard.internal.auth.Users")) {
      for (String rubbish : List.of("rubbish", "more:rubbish")) { // each look finds another
        TestUsers.write(users, rubbish);
        String fields = "which has 3 fields, not " + rubbish.split(":").length;
        Eventually.isTrue(
            "it is looked at",
            () -> {
              time.advance(Duration.ofMillis(100));
              return log.lines().stream().anyMatch(line -> line.text().contains(fields));
            });
        assertThat(get("/api/v1/types", "Cookie", cookie).statusCode()).isEqualTo(200);
        assertThat(get("/api/v1/types", "Authorization", basic).statusCode()).isEqualTo(200);
      }
    }
    assertThat(closed).isNotDone();
    TestUsers.write(users, before.replaceFirst("(?m)^dora:.*$", "")); // the others as they are
    assertThat(code(closed)).isEqualTo((short) 4401);
    assertThat(get("/api/v1/jobs", "Cookie", cookie).statusCode()).isEqualTo(401);
    assertThat(get("/api/v1/jobs", "Authorization", basic).statusCode()).isEqualTo(401);
  }

  @Test
  void otherMachinesAreAdmittedOnlyWithALogin() {
    DashboardOptions open = TestNode.options().host("0.0.0.0");
    assertThatThrownBy(() -> DashboardServer.check(open))
        .hasMessageContaining("give it a login (auth)");
    DashboardServer.check(TestNode.options().host("0.0.0.0").auth(AuthOptions.users(users)));
    DashboardServer.check(TestNode.options().host("0.0.0.0").insecure(true));
  }

  @Test
  void aBrokenUsersFilePreventsAStart() {
    Path broken = TestUsers.write(data.resolve("broken"), "ann:admin:secret");
    DashboardOptions options = TestNode.options().auth(AuthOptions.users(broken));
    assertThatThrownBy(() -> await(DashboardServer.open(node.parts, options)))
        .hasMessageStartingWith("the users file %s: line 1: the hash must be".formatted(broken))
        .hasMessageNotContaining("secret");
  }

  @Test
  void theAuditNamesWhoAskedForAWriteAndTheReason() {
    HttpRequest.Builder pause =
        node.request("/api/v1/types/process/pause")
            .header("Authorization", TestUsers.basic(Role.OPERATOR))
            .header("Content-Type", "application/json")
            .header("X-Callboard-Reason", "disk %C3%BCber%0Alimit");
    time.advance(Duration.ofMillis(1)); // the audit is in the order of time
    HttpResponse<String> paused = node.send(pause.POST(BodyPublishers.noBody()));
    assertThat(paused.statusCode()).isEqualTo(200);
    JsonNode kept =
        TestNode.json(get("/api/v1/types/process", "Authorization", TestUsers.basic(Role.VIEWER)));
    assertThat(kept.path("pause")).isEqualTo(TestNode.json(paused).path("pause"));
    assertThat(kept.at("/pause/by").asText()).isEqualTo("operator");
    assertThat(kept.at("/pause/reason").asText()).isEqualTo("disk über limit");
    time.advance(Duration.ofMillis(1));
    HttpResponse<String> refused =
        node.send(
            node.request("/api/v1/roles/jobs/failover")
                .header("Authorization", TestUsers.basic(Role.OPERATOR))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.noBody()));
    assertThat(detail(refused))
        .isEqualTo("failoverRole needs the role admin; operator has the role operator");
    assertThat(get("/api/v1/audit", "Authorization", TestUsers.basic(Role.VIEWER)).statusCode())
        .isEqualTo(403);
    JsonNode items =
        TestNode.json(get("/api/v1/audit", "Authorization", TestUsers.basic(Role.OPERATOR)))
            .path("items");
    JsonNode last = items.path(0);
    assertThat(last.path("operation").asText()).isEqualTo("failoverRole");
    assertThat(last.path("code").asText()).isEqualTo("FORBIDDEN");
    JsonNode first = items.path(1);
    assertThat(first.path("user").asText()).isEqualTo("operator");
    assertThat(first.path("from").asText()).isEqualTo("127.0.0.1");
    assertThat(first.path("operation").asText()).isEqualTo("pauseType");
    assertThat(first.path("subject").asText()).isEqualTo("/types/process/pause");
    assertThat(first.path("status").asInt()).isEqualTo(200);
    assertThat(first.path("reason").asText()).isEqualTo("disk über limit");
  }
}
