package io.callboard.pollers.internal.kafka;

import io.callboard.codecs.internal.text.Digest;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * Identity of a topic, which no other one under its name has: a topic that is removed and made
 * again counts its offsets from 0 again. The first one that a source has seen under a name is in
 * its memory; the ids of its messages are those that older versions gave.
 *
 * @param id the id that the brokers gave it; zero if they know none
 */
record TopicIdentity(String topic, Uuid id) {
  private static final int DIGITS = 12;

  /** Returns the key under which the memory keeps the first topic of that name. */
  String key() {
    return "topic/" + Digest.of(topic).substring(0, DIGITS);
  }

  /** Returns the number by which the memory keeps the topic. */
  long number() {
    return id.getMostSignificantBits() ^ id.getLeastSignificantBits();
  }

  /** Returns whether the memory is to keep this topic as the first one. */
  boolean isFirst(@Nullable Long first) {
    return first == null && isKnown();
  }

  private boolean isKnown() {
    return !id.equals(Uuid.ZERO_UUID);
  }

  /**
   * Returns the prefix of the ids of the topic's messages: the name, and the identity of a topic
   * that is not the first under it.
   *
   * @param first what the memory keeps of the first one; null for nothing
   */
  String prefix(@Nullable Long first) {
    return first == null || first == number() || !isKnown()
        ? topic
        : "%s@%016x".formatted(topic, number());
  }
}
