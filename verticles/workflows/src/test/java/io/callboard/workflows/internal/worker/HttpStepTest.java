package io.callboard.workflows.internal.worker;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.callboard.testkit.Eventually;
import io.callboard.workflows.internal.output.StepOutputs;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.model.PermanentStepException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("real")
class HttpStepTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final AtomicInteger closed = new AtomicInteger();
  private static final StepOutputs OUTPUTS =
      new StepOutputs(
          () -> {
            throw new AssertionError("an http step reads no outputs");
          });

  private final Vertx vertx = Vertx.vertx();
  private HttpStep http;
  private String url;

  @BeforeEach
  void serve() {
    HttpServer server =
        await(vertx.createHttpServer().requestHandler(this::answer).listen(0, "127.0.0.1"));
    url = "http://127.0.0.1:" + server.actualPort();
    http = new HttpStep(vertx, new HttpStepOptions(Set.of("127.0.0.1"), 1_000));
  }

  @AfterEach
  void stop() {
    await(vertx.close());
  }

  /** Answers with one byte after the other, for ever. */
  private void trickle(HttpServerRequest request) {
    request.response().setChunked(true);
    long timer = vertx.setPeriodic(20, id -> request.response().write("x"));
    request
        .connection()
        .closeHandler(
            v -> {
              vertx.cancelTimer(timer);
              closed.incrementAndGet();
            });
  }

  private void answer(HttpServerRequest request) {
    request
        .body()
        .onSuccess(
            body -> {
              seen.add(
                  "%s %s %s %s"
                      .formatted(
                          request.method(),
                          request.uri(),
                          request.getHeader("Idempotency-Key"),
                          body));
              switch (request.path()) {
                case "/json" ->
                    request
                        .response()
                        .putHeader("Content-Type", "application/json; charset=utf-8")
                        .end("{\"n\":7}");
                case "/deep" ->
                    request
                        .response()
                        .putHeader("Content-Type", "application/json")
                        .end("[".repeat(1_500) + "]".repeat(1_500));
                case "/decimals" ->
                    request
                        .response()
                        .putHeader("Content-Type", "application/json")
                        .end("[12345678901234567.89,1E+400,1.50]");
                case "/same" ->
                    request.response().setStatusCode(302).putHeader("Location", "/json").end();
                case "/other" ->
                    request
                        .response()
                        .setStatusCode(302)
                        .putHeader("Location", "http://localhost:1/")
                        .end();
                case "/loop" ->
                    request.response().setStatusCode(302).putHeader("Location", "/loop").end();
                case "/large" -> request.response().end("x".repeat(1_001));
                case "/busy" -> request.response().setStatusCode(503).end("later");
                case "/gone" -> request.response().setStatusCode(404).end("no such page");
                case "/silent" -> {} // never answers
                case "/cut" -> request.connection().close();
                case "/trickle" -> trickle(request);
                default -> request.response().end("text");
              }
            });
  }

  private JsonNode run(String with) {
    return run(http, with);
  }

  private static JsonNode run(HttpStep step, String with) {
    return await(step.run(attempt(with)));
  }

  private static Attempt attempt(String with) {
    try {
      JsonNode parameters = JSON.readTree(with);
      StepRequest request =
          new StepRequest(
              "i",
              "d",
              "s",
              1,
              1,
              "http",
              5,
              1,
              null,
              Instant.EPOCH,
              "n",
              JSON.nullNode(),
              parameters,
              "i/s",
              null,
              null,
              null,
              null);
      return new Attempt(request, OUTPUTS, state -> Future.succeededFuture(), Promise.promise());
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aBodyThatNobodyCouldReadFailsForGood() {
    HttpStep step = new HttpStep(vertx, new HttpStepOptions(Set.of("127.0.0.1"), 10_000));
    assertThatThrownBy(() -> run(step, "{\"url\":\"" + url + "/deep\"}"))
        .isInstanceOf(PermanentStepException.class)
        .hasMessageContaining("the body of the response cannot be read: it is nested deeper than");
  }

  @Test
  void theOutputHasStatusHeadersAndBody() {
    JsonNode output = run("{\"url\":\"%s/json?a=b\"}".formatted(url));
    assertThat(output.path("status").asInt()).isEqualTo(200);
    assertThat(output.path("headers").path("content-type").asText()).contains("json");
    assertThat(output.path("body").path("n").asInt()).isEqualTo(7);
    assertThat(seen).containsExactly("GET /json?a=b null ");
    assertThat(run("{\"url\":\"%s\"}".formatted(url)).path("body").asText()).isEqualTo("text");
  }

  @Test
  void decimalsKeepEveryDigit() {
    assertThat(run("{\"url\":\"%s/decimals\"}".formatted(url)).path("body"))
        .hasToString("[12345678901234567.89,1E+400,1.50]");
  }

  /** An attempt that is over has ended: the next one is not beside it. */
  @Test
  void anExchangeEndsWithItsTimeout() {
    HttpStep patient = new HttpStep(vertx, new HttpStepOptions(Set.of("127.0.0.1"), 1 << 20));
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThatThrownBy(
              () ->
                  run(
                      patient,
                      "{\"url\":\"%s/trickle\",\"method\":\"POST\",\"timeout\":\"PT0.1S\"}"
                          .formatted(url)))
          .isInstanceOf(HttpStepException.class)
          .hasMessageContaining("/trickle failed");
      int ended = attempt;
      Eventually.isTrue("the exchange has ended", () -> closed.get() == ended);
    }
  }

  @Test
  void aRequestThatChangesSomethingHasAKeyAndItsBody() {
    JsonNode unused =
        run("{\"url\":\"%s/x\",\"method\":\"post\",\"body\":{\"a\":1}}".formatted(url));
    assertThat(seen).containsExactly("POST /x i/s {\"a\":1}");
  }

  @Test
  void aRedirectIsFollowedToTheSameHostOnly() {
    assertThat(run("{\"url\":\"%s/same\"}".formatted(url)).path("body").path("n").asInt())
        .isEqualTo(7);
    assertThatThrownBy(() -> run("{\"url\":\"%s/other\"}".formatted(url)))
        .isInstanceOf(PermanentStepException.class)
        .hasMessageContaining("answered 302");
    JsonNode output = run("{\"url\":\"%s/other\",\"expect\":[302]}".formatted(url));
    assertThat(output.path("headers").path("location").asText()).isEqualTo("http://localhost:1/");
    assertThatThrownBy(() -> run("{\"url\":\"%s/loop\"}".formatted(url)))
        .hasMessageContaining("redirects too often");
  }

  @Test
  void statusesAndLimitsFailWithWhatHappened() {
    assertThatThrownBy(() -> run("{\"url\":\"%s/busy\"}".formatted(url)))
        .isInstanceOf(HttpStepException.class)
        .hasMessageContaining("answered 503: later");
    assertThatThrownBy(() -> run("{\"url\":\"%s/gone\"}".formatted(url)))
        .isInstanceOf(PermanentStepException.class)
        .hasMessageContaining("answered 404: no such page");
    assertThat(
            run("{\"url\":\"%s/gone\",\"expect\":\"4xx\"}".formatted(url)).path("status").asInt())
        .isEqualTo(404);
    assertThatThrownBy(() -> run("{\"url\":\"%s/large\"}".formatted(url)))
        .hasMessageContaining("more than 1,000 bytes");
    assertThatThrownBy(() -> run("{\"url\":\"%s/silent\",\"timeout\":\"PT0.2S\"}".formatted(url)))
        .isInstanceOf(HttpStepException.class);
  }

  /** Whoever reads them need not know the classes of the client. */
  @Test
  void failuresOfTheNetworkArePutIntoWords() {
    assertThatThrownBy(() -> run("{\"url\":\"%s/silent\",\"timeout\":\"PT0.1S\"}".formatted(url)))
        .hasMessage("GET %s/silent failed: no answer within PT0.1S", url);
    assertThatThrownBy(() -> run("{\"url\":\"%s/cut\"}".formatted(url)))
        .hasMessageMatching("GET \\S+/cut failed: [Cc]onnection was closed");
    String tls = url.replace("http:", "https:");
    for (String wrong : List.of("{\"url\":\"http://127.0.0.1:1/\"}", "{\"url\":\"" + tls + "\"}")) {
      assertThatThrownBy(() -> run(wrong))
          .isInstanceOf(HttpStepException.class)
          .satisfies(failed -> assertThat(failed.getMessage()).doesNotContain("Exception", "io."));
    }
  }

  @Test
  void anExchangeThatIsCancelledSaysSo() {
    Attempt attempt = attempt("{\"url\":\"%s/silent\"}".formatted(url));
    Future<JsonNode> done = http.run(attempt);
    Eventually.isTrue("it is asked", () -> !seen.isEmpty());
    attempt.cancel();
    assertThatThrownBy(() -> await(done)).hasMessage("GET %s/silent was cancelled", url);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'url':'ftp://x/'} | must begin with http",
        "{'url':'http://user@x/'} | user or a password",
        "{'url':'http://x/','method':'TRACE'} | TRACE",
        "{'url':'http://x/','uri':'y'} | /uri: is unknown; did you mean \"url\"?",
        "{'url':'http://x/','headers':{'Host':'y'}} | Host cannot be set",
        "{'url':'http://x/','expect':'ok'} | expect names statuses",
        "{'url':'http://x/','timeout':'5s'} | ISO 8601"
      })
  void wrongParametersFailForGood(String with, String message) {
    assertThatThrownBy(() -> run(with.replace('\'', '"')))
        .isInstanceOf(PermanentStepException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1,true",
    "127.8.8.8,true",
    "169.254.169.254,true",
    "0.0.0.0,true",
    "224.0.0.1,true",
    "255.255.255.255,true",
    "::1,true",
    "::,true",
    "fe80::1,true",
    "::ffff:127.0.0.1,true",
    "64:ff9b::7f00:1,true",
    "fd00:ec2::254,true",
    "fd00:c1::a9fe:a9fe,true",
    "fd00:42::42,true",
    "fd20:ce::254,true",
    "100.100.100.200,true",
    "192.0.0.192,true",
    "168.63.129.16,true",
    "64:ff9b::6464:64c8,true",
    "2002:7f00:1::,true",
    "2002:a9fe:a9fe::1,true",
    "2001:0:4136:e378:8000:63bf:80ff:fffe,true",
    "10.0.0.1,false",
    "192.168.1.1,false",
    "93.184.216.34,false",
    "2001:db8::1,false",
    "2002:5db8:d822::1,false",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2,false",
    "100.100.100.201,false",
    "fd00:1::1,false"
  })
  void addressesOfThisMachineAreNear(String address, boolean near) throws Exception {
    assertThat(HostAddresses.isNear(InetAddress.getByName(address))).isEqualTo(near);
  }

  @Test
  void aNearHostIsRefusedUnlessItIsAllowed() {
    HttpStep careful = new HttpStep(vertx, HttpStepOptions.DEFAULT);
    assertThatThrownBy(() -> run(careful, "{\"url\":\"%s\"}".formatted(url)))
        .isInstanceOf(PermanentStepException.class)
        .hasMessageContaining("host 127.0.0.1 is refused");
    assertThatThrownBy(
            () -> run(careful, "{\"url\":\"%s\"}".formatted(url.replace("127.0.0.1", "localhost"))))
        .hasMessageContaining("host localhost is refused");
    assertThat(seen).isEmpty();
  }
}
