package io.callboard.dashboard.auth;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.testkit.LogCapture;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.event.Level;

/** Which keys of an issuer are taken, and from where. */
class TokenKeysTest {
  private static final String PASSWORD = "changeit";

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
    String good = jwk("good", "-1d");
    String expired = jwk("expired", "-30d");
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

  private Path keys(String... keys) throws Exception {
    JsonArray all = new JsonArray();
    for (String key : keys) {
      all.add(new JsonObject(key));
    }
    Path file = Files.createTempFile(directory, "jwks", ".json");
    return Files.writeString(file, new JsonObject().put("keys", all).encode());
  }

  /** Makes a key with a certificate that is valid for ten days from then on. */
  private String jwk(String id, String from) throws Exception {
    Path store = directory.resolve(id + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-alias",
                "k",
                "-dname",
                "CN=issuer",
                "-startdate",
                from,
                "-validity",
                "10",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .directory(directory.toFile())
            .start();
    try {
      assertThat(keytool.waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(keytool.exitValue()).isZero();
    } finally {
      keytool.destroyForcibly();
    }
    KeyStore read = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      read.load(in, PASSWORD.toCharArray());
    }
    Certificate certificate = read.getCertificate("k");
    return new JsonObject()
        .put("kty", "RSA")
        .put("kid", id)
        .put("alg", "RS256")
        .put(
            "x5c",
            new JsonArray().add(Base64.getEncoder().encodeToString(certificate.getEncoded())))
        .encode();
  }
}
