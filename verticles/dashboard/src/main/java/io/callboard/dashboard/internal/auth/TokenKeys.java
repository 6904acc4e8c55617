package io.callboard.dashboard.internal.auth;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.impl.jose.JWK;
import io.vertx.ext.auth.impl.jose.JWS;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reader of an issuer's public keys: a JWKS in a file, at a URL, or at the URL that the issuer's
 * discovery document names.
 */
final class TokenKeys {
  private static final int MOST_BYTES = 256 * 1024;
  private static final int MOST_KEYS = 50;
  private static final long WITHIN_SECONDS = 10;
  private static final String DISCOVERY = "/.well-known/openid-configuration";

  /** Kinds of keys whose public half verifies; a shared secret is none. */
  private static final Set<String> PUBLIC = Set.of("RSA", "EC", "OKP");

  private static final Logger log = LoggerFactory.getLogger(TokenKeys.class);

  private final Vertx vertx;
  private final TokenRules rules;
  private final HttpClientAgent client;

  TokenKeys(Vertx vertx, TokenRules rules) {
    this.vertx = vertx;
    this.rules = rules;
    this.client = vertx.createHttpClient();
  }

  /** Returns whether a text is a URL, not the name of a file. */
  static boolean isUrl(String keys) {
    return keys.startsWith("https://") || keys.startsWith("http://");
  }

  /** Returns the keys; fails with one line that names where they should be. */
  Future<List<JsonObject>> read() {
    String keys = rules.keys();
    if (keys == null) {
      String discovery = rules.issuer().replaceFirst("/$", "") + DISCOVERY;
      return get(discovery)
          .map(document -> jwksOf(discovery, document))
          .compose(url -> get(url).map(body -> keys(url, body)));
    }
    return isUrl(keys)
        ? get(keys).map(body -> keys(keys, body))
        : vertx.fileSystem().readFile(keys).map(body -> keys(keys, body));
  }

  private String jwksOf(String where, Buffer document) {
    JsonObject json = json(where, document);
    if (!rules.issuer().equals(json.getValue("issuer"))) {
      throw new IllegalStateException(
          "%s is of issuer %s, not %s".formatted(where, json.getValue("issuer"), rules.issuer()));
    }
    if (json.getValue("jwks_uri") instanceof String url
        && TokenRules.isSafe(url)
        && !isDowngrade(where, url)) {
      return url;
    }
    throw new IllegalStateException(where + " names no jwks_uri with https");
  }

  private static boolean isDowngrade(String where, String url) {
    return where.startsWith("https://") && !url.startsWith("https://");
  }

  private Future<Buffer> get(String url) {
    return client
        .request(
            new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setAbsoluteURI(url)
                .setConnectTimeout(TimeUnit.SECONDS.toMillis(WITHIN_SECONDS)))
        .compose(request -> request.putHeader("Accept", "application/json").send())
        .compose(
            answer -> {
              if (answer.statusCode() != 200) {
                return Future.failedFuture(
                    new IOException("it answers with status " + answer.statusCode()));
              }
              Buffer body = Buffer.buffer();
              answer.handler(
                  part -> {
                    if (body.length() + part.length() > MOST_BYTES) {
                      var unused = answer.request().reset();
                    } else {
                      body.appendBuffer(part);
                    }
                  });
              return answer.end().map(body);
            })
        .timeout(WITHIN_SECONDS, TimeUnit.SECONDS)
        .recover(
            cause ->
                Future.failedFuture(
                    new IOException("%s cannot be read: %s".formatted(url, cause.getMessage()))));
  }

  private static JsonObject json(String where, Buffer body) {
    try {
      return body.length() > MOST_BYTES ? new JsonObject() : new JsonObject(body);
    } catch (DecodeException e) {
      throw new IllegalStateException(where + " is no JSON object", e);
    }
  }

  private static List<JsonObject> keys(String where, Buffer body) {
    List<JsonObject> keys = new ArrayList<>();
    if (json(where, body).getValue("keys") instanceof JsonArray all) {
      for (Object each : all) {
        if (each instanceof JsonObject key
            && PUBLIC.contains(key.getString("kty", ""))
            && key.getString("use", "sig").equals("sig")
            && isUsable(where, key)) {
          keys.add(key);
        }
      }
    }
    if (keys.isEmpty() || keys.size() > MOST_KEYS) {
      throw new IllegalStateException(
          "%s must be a JWKS of up to %d bytes with 1 to %d public keys (RSA, EC, OKP) for signatures, not %d"
              .formatted(where, MOST_BYTES, MOST_KEYS, keys.size()));
    }
    return keys;
  }

  /**
   * Returns whether signatures can be verified with a key. Others must not be handed on: whoever
   * verifies with no key at all takes tokens without a signature.
   */
  private static boolean isUsable(String where, JsonObject key) {
    try {
      JWK jwk = new JWK(key);
      JWS unused = new JWS(jwk);
      return jwk.publicKey() != null && (jwk.use() == null || jwk.use().equals("sig"));
    } catch (RuntimeException e) { // of many kinds, by what is wrong with it
      log.warn("{}: a key cannot be used and is left out: {}", where, e.getMessage());
      return false;
    }
  }

  Future<Void> close() {
    return client.close();
  }
}
