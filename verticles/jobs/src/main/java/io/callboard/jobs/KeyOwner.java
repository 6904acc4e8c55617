package io.callboard.jobs;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Owner of keys of jobs, which begin with its prefix. */
enum KeyOwner {
  /** Users, whose keys begin with anything else. */
  USERS("", "users"),
  STEPS("workflow/", "steps of workflows"),
  /** Messages of sources; users may submit messages, too. */
  MESSAGES("source/", "messages of sources");

  private static final int LONGEST = 200;
  private static final Pattern KEY = Pattern.compile("[!-~]{1,%d}".formatted(LONGEST));

  private final String prefix;
  private final String label;

  KeyOwner(String prefix, String label) {
    this.prefix = prefix;
    this.label = label;
  }

  /** Returns whether a key, null for none, begins with the prefix of this owner. */
  boolean owns(@Nullable String key) {
    return key != null && key.startsWith(prefix);
  }

  /**
   * Returns whether a key has no character, or, if it is a user's, more than 200. Those of steps
   * and messages have names and ids in them that are bounded elsewhere.
   */
  boolean isBadLength(String key) {
    return key.isBlank() || this == USERS && key.length() > LONGEST;
  }

  /**
   * Returns why a key of this owner is not a valid idempotency key. That of a user is a header over
   * HTTP; keys of other owners are not checked.
   *
   * @param idempotencyKey null for none
   * @return empty if it is valid, or null
   */
  Optional<String> fault(@Nullable String idempotencyKey) {
    return this != USERS || idempotencyKey == null || KEY.matcher(idempotencyKey).matches()
        ? Optional.empty()
        : Optional.of(
            "an idempotency key has 1 to %d letters, digits and signs of ASCII without blanks, not \"%.100s\" of %,d"
                .formatted(LONGEST, idempotencyKey, idempotencyKey.length()));
  }

  /**
   * Returns the refusal of a key that begins with the prefix of another owner; empty for other
   * keys.
   *
   * @param kind kind of the key, for people
   */
  Optional<String> refusal(String kind, @Nullable String key) {
    return Arrays.stream(values())
        .filter(each -> each != USERS && each != this && each.owns(key))
        .findFirst()
        .map(
            each ->
                "the %s key \"%.200s\" begins with %s, which is reserved for %s: choose another key"
                    .formatted(kind, key, each.prefix, each.label));
  }
}
