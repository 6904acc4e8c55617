package io.callboard.dashboard.internal.auth;

import io.vertx.ext.auth.hashing.HashingStrategy;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Hashes of passwords: PBKDF2 with HMAC-SHA-512, as Vert.x writes them. Slow on purpose: not to be
 * called on an event loop.
 */
public final class Passwords {
  /** Least number of characters of a new password. */
  public static final int LEAST = 8;

  /** Greatest number of characters of a password. */
  public static final int MOST = 256;

  /** Iterations of a new hash: a fifth of a second of a processor. */
  static final int ITERATIONS = 210_000;

  private static final int LEAST_ITERATIONS = 100_000;
  private static final int MOST_ITERATIONS = 5_000_000;
  private static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = 64;
  private static final String ALGORITHM = "pbkdf2";
  private static final Pattern FORM =
      Pattern.compile("\\$pbkdf2\\$it=(\\d{1,7})\\$[A-Za-z0-9+/_-]{16,128}\\$[A-Za-z0-9+/_-]{86}");

  private static final HashingStrategy HASHING = HashingStrategy.load();

  private Passwords() {}

  /**
   * Returns a hash with a new salt.
   *
   * @throws IllegalArgumentException if the password is too short or too long
   */
  public static String hash(String password) {
    if (password.length() < LEAST || password.length() > MOST) {
      throw new IllegalArgumentException(
          "a password has %d to %d characters, not %d".formatted(LEAST, MOST, password.length()));
    }
    return hash(password, ITERATIONS);
  }

  /** Returns a hash of any text. */
  static String hash(String password, int iterations) {
    return HASHING.hash(
        ALGORITHM,
        Map.of("it", String.valueOf(iterations)),
        Base64.getEncoder().withoutPadding().encodeToString(RandomSecret.bytes(SALT_BYTES)),
        password);
  }

  /** Returns a hash that matches no password. */
  static String decoy() {
    Base64.Encoder encoder = Base64.getEncoder().withoutPadding();
    return "$pbkdf2$it=%d$%s$%s"
        .formatted(
            ITERATIONS,
            encoder.encodeToString(RandomSecret.bytes(SALT_BYTES)),
            encoder.encodeToString(RandomSecret.bytes(HASH_BYTES)));
  }

  /**
   * Returns a hash that matches no password and takes as long to check as one with these
   * iterations.
   */
  static String withIterations(String decoy, int iterations) {
    return decoy.replaceFirst("it=\\d+", "it=" + iterations);
  }

  /** Returns whether a password matches a hash, in a time that does not depend on the password. */
  static boolean matches(String hash, String password) {
    return password.length() <= MOST && HASHING.verify(hash, password);
  }

  /**
   * Returns the iterations of a hash.
   *
   * @throws IllegalArgumentException if it is no hash that this class could have made, without the
   *     hash
   */
  static int iterations(String hash) {
    Matcher form = FORM.matcher(hash);
    int iterations = form.matches() ? Integer.parseInt(form.group(1)) : 0;
    if (iterations < LEAST_ITERATIONS || iterations > MOST_ITERATIONS) {
      throw new IllegalArgumentException(
          "the hash must be $pbkdf2$it=N$salt$hash with N from %d to %d: make the line with callboard passwd"
              .formatted(LEAST_ITERATIONS, MOST_ITERATIONS));
    }
    return iterations;
  }
}
