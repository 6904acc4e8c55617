package io.callboard.pollers.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.PlayedMemory;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceException;
import io.callboard.servers.RedisServer;
import io.callboard.testkit.Futures;
import io.callboard.testkit.Waits;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks connections through TLS. */
@Tag("real")
class RedisTlsTest {
  private static final String PASSWORD = "store-passw0rd";
  private static RedisServer server;
  private static Path certificate;

  private final Vertx vertx = Vertx.vertx();

  @BeforeAll
  static void start() throws Exception {
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    Assumptions.assumeTrue(Files.isExecutable(keytool), "there is no " + keytool + ": use a JDK");
    Path directory = InstalledRedis.directory(RedisTlsTest.class);
    Path store = directory.resolve("server.p12");
    Files.deleteIfExists(store);
    Process making =
        new ProcessBuilder(
                List.of(
                    keytool.toString(),
                    "-genkeypair",
                    "-alias",
                    "server",
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=server",
                    "-ext",
                    "SAN=ip:127.0.0.1",
                    "-validity",
                    "2",
                    "-storepass",
                    PASSWORD,
                    "-keystore",
                    store.toString()))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.log").toFile())
            .start();
    Waits.ended(making);
    assertThat(making.exitValue()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    byte[] key = keys.getKey("server", PASSWORD.toCharArray()).getEncoded();
    certificate = pem(directory, "CERTIFICATE", keys.getCertificate("server").getEncoded());
    server =
        InstalledRedis.startWithTls(
            RedisTlsTest.class, pem(directory, "PRIVATE KEY", key), certificate);
  }

  private static Path pem(Path directory, String what, byte[] bytes) throws Exception {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return Files.writeString(
        directory.resolve(what.replace(' ', '-') + ".pem"),
        "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, text, what));
  }

  @AfterAll
  static void stop() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  @AfterEach
  void end() {
    Futures.await(vertx.close());
  }

  private CalledSource source(JsonObject settings) {
    settings.put("stream", "s");
    new RedisStreamKind().check(settings);
    return new CalledSource(
        vertx, new RedisStreamKind().create(PlayedMemory.context(vertx, "articles", settings)));
  }

  @Test
  void aServerIsKnownByItsCertificate() {
    JsonObject settings =
        new JsonObject()
            .put("url", "rediss://127.0.0.1:" + server.port())
            .put("certificates", certificate.toString());
    CalledSource source = source(settings);
    source.call(Source::open);
    source.call(each -> each.emit("s", new EmittedMessage("1", Buffer.buffer("x"), Map.of())));
    assertThat(source.one().body()).isEqualTo(Buffer.buffer("x"));
    source.call(Source::close);
  }

  @Test
  void anUnknownServerIsRefused() {
    JsonObject unknown = new JsonObject().put("url", "rediss://127.0.0.1:" + server.port());
    JsonObject misnamed =
        new JsonObject()
            .put("url", "rediss://localhost:" + server.port())
            .put("certificates", certificate.toString());
    for (JsonObject settings : List.of(unknown, misnamed)) {
      CalledSource source = source(settings);
      assertThatThrownBy(() -> source.call(Source::open))
          .isInstanceOf(SourceException.class)
          .hasMessageContaining("no connection");
      source.call(Source::close);
    }
  }
}
