package io.callboard.dashboard;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Login to a real node with tokens, made by hand as an issuer and a forger would. */
@Tag("real")
class TokenLoginTest {
  private static final String ISSUER = "https://issuer.example";
  @TempDir static Path data;
  private static KeyPair key;
  @AutoClose private static TestNode node;

  @BeforeAll
  static void start() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    key = generator.generateKeyPair();
    Path keyFile = Files.writeString(data.resolve("jwks.json"), jwks(key));
    node = new TestNode(data, options(keyFile.toString(), ISSUER));
  }

  private static DashboardOptions options(String keys, String issuer) {
    AuthOptions.Tokens tokens =
        new AuthOptions.Tokens(
            keys, issuer, "callboard", "sub", "realm.roles", Map.of("ops", "operator"));
    return TestNode.options()
        .auth(
            new AuthOptions(
                Optional.empty(),
                Optional.of(tokens),
                AuthOptions.DEFAULT_IDLE,
                AuthOptions.DEFAULT_MOST,
                List.of()));
  }

  private static String jwks(KeyPair key) {
    RSAPublicKey rsa = (RSAPublicKey) key.getPublic();
    JsonObject jwk =
        new JsonObject()
            .put("kty", "RSA")
            .put("use", "sig")
            .put("kid", "k1")
            .put("alg", "RS256")
            .put("n", encoded(unsigned(rsa.getModulus())))
            .put("e", encoded(unsigned(rsa.getPublicExponent())));
    return new JsonObject().put("keys", new JsonArray().add(jwk)).encode();
  }

  private static byte[] unsigned(BigInteger number) {
    byte[] bytes = number.toByteArray();
    return bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String encoded(JsonObject json) {
    return encoded(json.encode().getBytes(StandardCharsets.UTF_8));
  }

  private static JsonObject claims(Duration life) {
    return new JsonObject()
        .put("iss", ISSUER)
        .put("aud", "callboard")
        .put("sub", "ann")
        .put("exp", Instant.now().plus(life).getEpochSecond())
        .put("realm", new JsonObject().put("roles", new JsonArray().add("ops")));
  }

  private static String head(String algorithm) {
    return encoded(new JsonObject().put("alg", algorithm).put("kid", "k1").put("typ", "JWT"));
  }

  private static String signed(JsonObject claims) throws Exception {
    String content = head("RS256") + "." + encoded(claims);
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initSign(key.getPrivate());
    signature.update(content.getBytes(StandardCharsets.US_ASCII));
    return content + "." + encoded(signature.sign());
  }

  private static HttpResponse<String> ask(String token) {
    return node.send(node.request("/api/v1/session").header("Authorization", "Bearer " + token));
  }

  @Test
  void aTokenOfTheIssuerGivesTheNameAndTheRole() throws Exception {
    HttpResponse<String> answer = ask(signed(claims(Duration.ofMinutes(5))));
    JsonNode session = TestNode.json(answer);
    assertThat(session.path("user").asText()).as(answer.body()).isEqualTo("token:ann");
    assertThat(session.path("role").asText()).isEqualTo("operator");
    assertThat(session.path("password").asBoolean()).isFalse();
  }

  @Test
  void anotherIssuerAudienceTimeOrSignatureIsRefused() throws Exception {
    JsonObject good = claims(Duration.ofMinutes(5));
    for (JsonObject bad :
        new JsonObject[] {
          good.copy().put("iss", "https://other.example"),
          good.copy().put("aud", "other"),
          good.copy().put("exp", Instant.now().minusSeconds(120).getEpochSecond()),
          good.copy().put("nbf", Instant.now().plusSeconds(600).getEpochSecond()),
        }) {
      assertThat(ask(signed(bad)).statusCode()).as(bad.encode()).isEqualTo(401);
    }
    for (String gone : new String[] {"iss", "aud", "exp", "sub"}) {
      JsonObject bad = good.copy();
      bad.remove(gone);
      assertThat(ask(signed(bad)).statusCode()).as("without " + gone).isEqualTo(401);
    }
    String token = signed(good);
    String changed = head("RS256") + "." + encoded(good.put("sub", "bob"));
    assertThat(ask(changed + token.substring(token.lastIndexOf('.'))).statusCode()).isEqualTo(401);
    assertThat(ask("rubbish").statusCode()).isEqualTo(401);
    assertThat(ask("a.b.c").statusCode()).isEqualTo(401);
  }

  @Test
  void aTokenWithoutASignatureOrSignedWithThePublicKeyIsRefused() throws Exception {
    JsonObject good = claims(Duration.ofMinutes(5));
    assertThat(ask(head("none") + "." + encoded(good) + ".").statusCode()).isEqualTo(401);
    assertThat(ask(head("none") + "." + encoded(good)).statusCode()).isEqualTo(401);
    String content = head("HS256") + "." + encoded(good);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key.getPublic().getEncoded(), "HmacSHA256"));
    String forged =
        content + "." + encoded(mac.doFinal(content.getBytes(StandardCharsets.US_ASCII)));
    assertThat(ask(forged).statusCode()).isEqualTo(401);
  }

  @Test
  void aTokenWithoutARoleIsNotEnough() throws Exception {
    JsonObject claims = claims(Duration.ofMinutes(5));
    claims.remove("realm");
    HttpResponse<String> answer = ask(signed(claims));
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).contains("realm.roles");
  }

  @Test
  void aSharedSecretIsNoPublicKey() throws Exception {
    Path secret =
        Files.writeString(
            data.resolve("secret.json"),
            "{\"keys\":[{\"kty\":\"oct\",\"k\":\"c2VjcmV0\",\"alg\":\"HS256\"}]}");
    DashboardOptions options = options(secret.toString(), ISSUER);
    assertThatThrownBy(() -> await(DashboardServer.open(node.parts, options)))
        .hasMessageContaining("must be a JWKS")
        .hasMessageContaining("not 0");
  }

  @Test
  void keysThatNothingCanBeVerifiedWithAreNoKeys() throws Exception {
    JsonObject encrypts = new JsonObject(jwks(key)).getJsonArray("keys").getJsonObject(0);
    encrypts.remove("use");
    encrypts.put("alg", "RSA-OAEP");
    JsonObject unknownCurve =
        new JsonObject().put("kty", "EC").put("crv", "P-999").put("x", "AA").put("y", "AA");
    JsonObject notWhole = new JsonObject().put("kty", "RSA").put("alg", "RS256").put("n", "AQAB");
    JsonArray unusable = new JsonArray().add(encrypts).add(unknownCurve).add(notWhole);
    Path file =
        Files.writeString(
            data.resolve("unusable.json"), new JsonObject().put("keys", unusable).encode());
    DashboardOptions options = options(file.toString(), ISSUER);
    assertThatThrownBy(() -> await(DashboardServer.open(node.parts, options)))
        .hasMessageContaining("must be a JWKS")
        .hasMessageContaining("not 0");
  }

  @Test
  void whileTheIssuerHasOnlyUnusableKeysNoTokenIsTaken() throws Exception {
    HttpServer server =
        await(
            node.vertx
                .createHttpServer()
                .requestHandler(
                    request -> {
                      var unused =
                          request.response().end("{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-999\"}]}");
                    })
                .listen(0, "127.0.0.1"));
    String keys = "http://127.0.0.1:" + server.actualPort() + "/keys";
    DashboardServer without = await(DashboardServer.open(node.parts, options(keys, ISSUER)));
    String content = head("none") + "." + encoded(claims(Duration.ofMinutes(5)));
    for (String token : new String[] {content, content + ".", content + ".AA"}) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(without.url() + "api/v1/session"))
              .header("Authorization", "Bearer " + token);
      assertThat(node.send(request).statusCode()).as(token).isIn(401, 503);
    }
    await(without.close());
    await(server.close());
  }

  @Test
  void theIssuerIsAskedForItsKeysIfNoneAreGiven() throws Exception {
    HttpServer server =
        await(
            node.vertx
                .createHttpServer()
                .requestHandler(TokenLoginTest::answerAsIssuer)
                .listen(0, "127.0.0.1"));
    String issuer = "http://127.0.0.1:" + server.actualPort();
    DashboardServer asking = await(DashboardServer.open(node.parts, options(null, issuer)));
    String token = signed(claims(Duration.ofMinutes(5)).put("iss", issuer));
    URI session = URI.create(asking.url() + "api/v1/session");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(session).header("Authorization", "Bearer " + token);
    HttpResponse<String> answer = node.send(request);
    assertThat(TestNode.json(answer).path("user").asText())
        .as(answer.body())
        .isEqualTo("token:ann");
    await(asking.close());
    await(server.close());
  }

  private static void answerAsIssuer(HttpServerRequest request) {
    String self = "http://127.0.0.1:" + request.localAddress().port();
    var unused =
        request
            .response()
            .end(
                request.path().endsWith("/openid-configuration")
                    ? "{\"issuer\":\"%s\",\"jwks_uri\":\"%s/keys\"}".formatted(self, self)
                    : jwks(key));
  }
}
