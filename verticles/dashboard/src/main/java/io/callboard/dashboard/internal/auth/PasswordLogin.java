package io.callboard.dashboard.internal.auth;

import io.callboard.dashboard.internal.contract.Caller;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks passwords against the users file, and delays attempts after failures. A password that was
 * right is known by a keyed digest for a while, so that programs that send it with each request
 * need not wait for the slow hash; the same pair several times at once is one check. Thread-safe.
 */
final class PasswordLogin {
  /** Maximum number of passwords that are checked at the same time: each takes a thread. */
  static final int MOST_AT_ONCE = 8;

  private static final Duration REMEMBERED = Duration.ofMinutes(5);
  private static final String MAC = "HmacSHA256";
  private static final int KEY_BYTES = 32;
  private static final Logger log = LoggerFactory.getLogger(PasswordLogin.class);

  private final Vertx vertx;
  private final Users users;
  private final Clock clock;
  private final SecretKeySpec key;
  private final LoginThrottle throttle = new LoginThrottle();

  /** By user and address: only from there it passes the brake, which else would stop no guesses. */
  private final Map<String, Proven> proven = new LinkedHashMap<>();

  private final Map<String, Future<UsersFile.Entry>> underWay = new HashMap<>(); // by digest

  /**
   * Password that was right.
   *
   * @param digest keyed digest of the user's name and the password
   */
  private record Proven(UsersFile.Entry user, String digest, long atMs) {}

  PasswordLogin(Vertx vertx, Users users, Clock clock) {
    this.vertx = vertx;
    this.users = users;
    this.clock = clock;
    key = new SecretKeySpec(RandomSecret.bytes(KEY_BYTES), MAC);
  }

  /** Begins to check whether the users file has changed, until {@link #close}. */
  void watch(Time time) {
    users.watch(time);
  }

  /** Ends the checks of the users file. */
  void close() {
    users.close();
  }

  /** Returns the caller for a user of the file, as long as the file has that user. */
  Caller caller(UsersFile.Entry user) {
    return new Caller(user.name(), user.role(), () -> users.has(user));
  }

  /**
   * Checks a password.
   *
   * @param given name of the user
   * @param address address of the client, for the brake
   * @return the user; fails with the problem to answer with, the same for an unknown user
   */
  Future<UsersFile.Entry> check(String given, String password, String address) {
    String name =
        given.length() > UsersFile.MOST_NAME ? "" : given; // nobody's, and one key for all
    String digest = digest(name, password);
    Promise<UsersFile.Entry> answer = Promise.promise();
    synchronized (this) {
      UsersFile.Entry known = known(name, address, digest);
      if (known != null) {
        return Future.succeededFuture(known);
      }
      Future<UsersFile.Entry> same = underWay.get(digest);
      if (same != null) {
        return same;
      }
      try {
        begin(name, address);
      } catch (ProblemException e) {
        return Future.failedFuture(e);
      }
      underWay.put(digest, answer.future());
    }
    Optional<UsersFile.Entry> user = users.find(name);
    String hash = user.map(UsersFile.Entry::hash).orElseGet(() -> users.decoy(name));
    vertx
        .executeBlocking(() -> Passwords.matches(hash, password), false)
        .onComplete(checked -> ended(digest))
        .map(right -> outcome(name, address, right ? user : Optional.empty(), digest))
        .onComplete(answer);
    return answer.future();
  }

  private UsersFile.@Nullable Entry known(String name, String address, String digest) {
    Proven last = proven.get(key(name, address));
    long nowMs = clock.millis();
    if (last == null
        || nowMs - last.atMs() >= REMEMBERED.toMillis()
        || !isSame(last.digest(), digest)
        || !users.has(last.user())) {
      return null;
    }
    proven.put(key(name, address), new Proven(last.user(), digest, nowMs));
    return last.user();
  }

  private void begin(String name, String address) {
    long nowMs = clock.millis();
    long waitMs = throttle.waitMs(name, address, nowMs);
    if (waitMs > 0) {
      throw ProblemException.overloaded(
          "too many logins failed: the next attempt may be made in %d s"
              .formatted((waitMs + 999) / 1_000));
    }
    if (underWay.size() >= MOST_AT_ONCE) {
      throw ProblemException.overloaded(
          "%d passwords are being checked already, which is the limit of this node"
              .formatted(MOST_AT_ONCE));
    }
    throttle.begun(name, address, nowMs);
  }

  private synchronized void ended(String digest) {
    underWay.remove(digest);
  }

  private synchronized UsersFile.Entry outcome(
      String name, String address, Optional<UsersFile.Entry> user, String digest) {
    if (user.filter(users::has).isEmpty()) { // the file may have changed during the check
      log.info("a login from {} failed", address); // a name might be a password in the wrong field
      throw ProblemException.unauthenticated("the user or the password is wrong");
    }
    throttle.succeeded(name, address);
    proven.put(key(name, address), new Proven(user.get(), digest, clock.millis()));
    if (proven.size() > LoginThrottle.MOST) {
      proven.remove(proven.keySet().iterator().next());
    }
    return user.get();
  }

  private static String key(String name, String address) {
    return address + " " + name;
  }

  private String digest(String name, String password) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(key);
      byte[] digest = mac.doFinal((name + "\n" + password).getBytes(StandardCharsets.UTF_8));
      return new String(digest, StandardCharsets.ISO_8859_1);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JVM has " + MAC, e);
    }
  }

  private static boolean isSame(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.ISO_8859_1), other.getBytes(StandardCharsets.ISO_8859_1));
  }
}
