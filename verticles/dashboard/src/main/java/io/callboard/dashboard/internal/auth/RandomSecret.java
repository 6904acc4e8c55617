package io.callboard.dashboard.internal.auth;

import java.security.SecureRandom;

/** Bytes that nobody can guess: for secrets, which a seed would tell. */
final class RandomSecret {
  private static final SecureRandom RANDOM = new SecureRandom();

  private RandomSecret() {}

  static byte[] bytes(int number) {
    byte[] secret = new byte[number];
    RANDOM.nextBytes(secret);
    return secret;
  }
}
