package io.callboard.dashboard.internal.auth;

import java.security.SecureRandom;

/** Random bytes for secrets, which nobody can guess from a seed. */
final class RandomSecret {
  private static final SecureRandom RANDOM = new SecureRandom();

  private RandomSecret() {}

  static byte[] bytes(int number) {
    byte[] secret = new byte[number];
    RANDOM.nextBytes(secret);
    return secret;
  }
}
