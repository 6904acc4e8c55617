package io.callboard.bench;

import io.vertx.core.json.JsonObject;

/**
 * Queue in a real server: filled by its plain client, and emptied by a source, or by the plain
 * client in a loop that takes messages, does nothing, and acknowledges them.
 */
interface Supply extends Parts.Ending {
  /** Bytes of a message. */
  int SIZE = 100;

  /** Returns the settings of a source that takes from it. */
  JsonObject settings();

  /** Returns how the plain client takes and acknowledges. */
  String plain();

  /**
   * Puts messages; they can be taken on return. Those of a source that several nodes share are
   * numbered from 1 on.
   */
  void put(int count) throws Exception;

  /** Takes so many messages with the plain client, which acknowledges all of them. */
  void take(int count) throws Exception;

  /** Returns how many messages are there that nobody has acknowledged. */
  long left() throws Exception;

  /** Returns when taking could begin, for a queue that is looked at from time to time. */
  default long begunNanos(long asked) {
    return asked;
  }

  @Override
  default void end() throws Exception {
    // has nothing open
  }

  /** Returns the content of a message. */
  static String body(int number) {
    String head = "{\"number\":%d,\"text\":\"".formatted(number);
    return head + "x".repeat(SIZE - head.length() - 2) + "\"}";
  }

  /** Fails unless a message has as many bytes as one that was put. */
  static void check(int bytes) {
    if (bytes != SIZE) {
      throw new IllegalStateException("a message has %d bytes, not %d".formatted(bytes, SIZE));
    }
  }
}
