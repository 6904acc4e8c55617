package io.callboard.dashboard.internal.auth;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.testkit.LogCapture;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.event.Level;

/** Which keys of an issuer are taken, and from where. */
@Tag("real")
class TokenKeysTest {
  private final Vertx vertx = Vertx.vertx();
  @TempDir Path directory;

  @AfterEach
  void close() {
    await(vertx.close());
  }

  private List<JsonObject> read(String keys, String issuer) {
    TokenKeys reader =
        new TokenKeys(vertx, new TokenRules(keys, issuer, "callboard", "sub", "roles", Map.of()));
    try {
      return await(reader.read());
    } finally {
      await(reader.close());
    }
  }

  @Test
  void aDiscoveryThatNamesKeysOverHttpIsRefusedAndTheyAreNotAskedFor() {
    AtomicInteger requests = new AtomicInteger();
    HttpServer server =
        await(
            vertx
                .createHttpServer()
                .requestHandler(
                    request -> {
                      requests.incrementAndGet();
                      var unused =
                          request
                              .response()
                              .end(
                                  new JsonObject()
                                      .put("issuer", issuer(request.localAddress().port()))
                                      .put("jwks_uri", "http://keys.invalid/keys")
                                      .encode());
                    })
                .listen(0, "127.0.0.1"));
    assertThatThrownBy(() -> read(null, issuer(server.actualPort())))
        .hasMessageContaining("/.well-known/openid-configuration names no jwks_uri with https");
    assertThat(requests).hasValue(1);
  }

  private static String issuer(int port) {
    return "http://127.0.0.1:" + port;
  }

  @Test
  void aKeyWhoseCertificateHasExpiredIsLeftOut() throws Exception {
    JsonObject good = jwk("good");
    JsonObject expired = jwk("expired");
    Path both = keys(good, expired);
    try (LogCapture log = LogCapture.of(TokenKeys.class)) {
      assertThat(read(both.toString(), "https://issuer.example"))
          .extracting(key -> key.getString("kid"))
          .containsExactly("good");
      assertThat(log.expect(Level.WARN, "a key cannot be used and is left out").text())
          .contains(both.toString());
    }
    String alone = keys(expired).toString();
    assertThatThrownBy(() -> read(alone, "https://issuer.example"))
        .hasMessageContaining("1 to 50 public keys")
        .hasMessageContaining("not 0");
  }

  private Path keys(JsonObject... keys) throws IOException {
    JsonArray all = new JsonArray(List.of((Object[]) keys));
    Path file = Files.createTempFile(directory, "jwks", ".json");
    return Files.writeString(file, new JsonObject().put("keys", all).encode());
  }

  /** Returns a key with the certificate of that name: one is valid from 2000 for 200 years. */
  private static JsonObject jwk(String name) throws IOException {
    try (InputStream in = TokenKeysTest.class.getResourceAsStream(name + ".pem")) {
      String lines = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      return new JsonObject()
          .put("kty", "RSA")
          .put("kid", name)
          .put("alg", "RS256")
          .put("x5c", new JsonArray().add(lines.replaceAll("-----.*-----|\\s", "")));
    }
  }
}
