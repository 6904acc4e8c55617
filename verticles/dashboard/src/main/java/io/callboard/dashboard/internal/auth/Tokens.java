package io.callboard.dashboard.internal.auth;

import io.callboard.dashboard.internal.contract.Caller;
import io.callboard.dashboard.internal.contract.Problem;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.dashboard.internal.contract.Role;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.JWTOptions;
import io.vertx.ext.auth.User;
import io.vertx.ext.auth.authentication.TokenCredentials;
import io.vertx.ext.auth.jwt.JWTAuth;
import io.vertx.ext.auth.jwt.JWTAuthOptions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tokens (JWT) of one issuer. Its keys are read at the start, again after some minutes, and when a
 * token does not fit them, as the issuer may have new ones. Thread-safe.
 */
final class Tokens {
  /** Difference between clocks that is allowed, in seconds. */
  private static final int LEEWAY_SECONDS = 30;

  private static final Duration FRESH = Duration.ofMinutes(10);
  private static final Duration RETRY = Duration.ofSeconds(30);
  private static final Logger log = LoggerFactory.getLogger(Tokens.class);

  /** Begins the names of those who bear a token: no user of a file has such a name. */
  private static final String TOKEN_USER = "token:";

  private final Vertx vertx;
  private final TokenRules rules;
  private final TokenKeys keys;
  private final Clock clock;
  private volatile @Nullable JWTAuth verifier;
  private volatile String failure = "they have not been read yet";
  private @Nullable Future<Void> reading;
  private long readMs;

  private Tokens(Vertx vertx, TokenRules rules, Clock clock) {
    this.vertx = vertx;
    this.rules = rules;
    this.keys = new TokenKeys(vertx, rules);
    this.clock = clock;
  }

  /**
   * Reads the keys.
   *
   * @return fails if they should be in a file and are not; a server of keys may be away
   */
  static Future<Tokens> open(Vertx vertx, TokenRules rules, Clock clock) {
    Tokens tokens = new Tokens(vertx, rules, clock);
    String given = rules.keys();
    boolean inFile = given != null && !TokenKeys.isUrl(given);
    return tokens
        .read()
        .transform(
            read ->
                inFile && tokens.verifier == null
                    ? Future.failedFuture(
                        new IllegalArgumentException("the keys of tokens: " + tokens.failure))
                    : Future.succeededFuture(tokens));
  }

  /** Returns the bearer of a token; fails with the problem to answer with. */
  Future<Caller> caller(String token) {
    long nowMs = clock.millis();
    if (nowMs - readMs() > FRESH.toMillis()) {
      Future<Void> unused = read();
    }
    return verified(token)
        .recover(
            cause ->
                nowMs - readMs() < RETRY.toMillis()
                    ? Future.failedFuture(cause)
                    : read().compose(read -> verified(token)))
        .map(this::caller);
  }

  private synchronized long readMs() {
    return readMs;
  }

  private Future<User> verified(String token) {
    String[] parts = token.split("\\.", -1);
    if (parts.length != 3 || parts[2].isEmpty()) {
      return Future.failedFuture(
          ProblemException.unauthenticated("the token has no signature, and must have one"));
    }
    JWTAuth current = verifier;
    if (current == null) {
      return Future.failedFuture(
          new ProblemException(
              Problem.of(Problem.Kind.UNAVAILABLE, "the keys of tokens cannot be read")));
    }
    return current
        .authenticate(new TokenCredentials(token))
        .recover(
            cause ->
                Future.failedFuture(
                    ProblemException.unauthenticated(
                        "the token is not valid here: its signature, issuer, audience or time is not as it must be")));
  }

  private Caller caller(User user) {
    JsonObject claims = user.attributes().getJsonObject("accessToken", new JsonObject());
    Long expires = claims.getLong("exp");
    Optional<String> name = rules.user(claims.getMap());
    if (expires == null || name.isEmpty()) {
      throw ProblemException.unauthenticated(
          "the token must have the claims exp and %s, the latter a name of up to 200 visible characters, neither local nor -"
              .formatted(rules.userClaim()));
    }
    Role role =
        rules
            .role(claims.getMap())
            .orElseThrow(
                () ->
                    ProblemException.forbidden(
                        "the token gives no role: its claim %s has no value that stands for one"
                            .formatted(rules.roleClaim())));
    long untilMs = (expires + LEEWAY_SECONDS) * 1_000;
    return new Caller(TOKEN_USER + name.get(), role, () -> clock.millis() < untilMs);
  }

  /** Reads the keys, unless that is under way; does not fail. */
  private synchronized Future<Void> read() {
    if (reading != null) {
      return reading;
    }
    readMs = clock.millis();
    Future<Void> done =
        keys.read()
            .<Void>map(
                read -> {
                  verifier = verifier(read);
                  return null;
                })
            .recover(
                cause -> {
                  failure = String.valueOf(cause.getMessage());
                  log.warn("the keys of tokens cannot be read: {}", failure);
                  return Future.succeededFuture();
                })
            .onComplete(read -> ended());
    if (!done.isComplete()) {
      reading = done;
    }
    return done;
  }

  private synchronized void ended() {
    reading = null;
  }

  private JWTAuth verifier(List<JsonObject> read) {
    return JWTAuth.create(
        vertx,
        new JWTAuthOptions()
            .setJwks(read)
            .setJWTOptions(
                new JWTOptions()
                    .setIssuer(rules.issuer())
                    .addAudience(rules.audience())
                    .setLeeway(LEEWAY_SECONDS)));
  }

  Future<Void> close() {
    return keys.close();
  }
}
