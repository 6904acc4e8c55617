package io.callboard.internal.membership;

import io.callboard.CallboardException;
import io.callboard.cell.NodeVersion;
import io.callboard.codecs.Json;
import io.callboard.store.Store;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Facts that this node publishes to the other members of its cell. Used on the durable context. */
public final class MemberFacts {
  /** Limit of the characters of a key. */
  static final int MOST_KEY = 100;

  /** Limit of the bytes of one value as JSON. */
  static final int MOST_VALUE = 64 << 10;

  /**
   * Limit of the bytes of all facts of programs, as JSON: with the toolkit's own they are one
   * znode.
   */
  static final int MOST_BYTES = 512 << 10;

  /** Prefix of the keys that are the toolkit's own. */
  private static final String OWN = "callboard.";

  private final Store store;
  private final Map<String, String> facts =
      new HashMap<>(Map.of(NodeVersion.FACT, NodeVersion.version()));

  public MemberFacts(Store store) {
    this.store = store;
  }

  /**
   * Checks a program's fact. Any thread.
   *
   * @throws IllegalArgumentException if a program cannot publish such a fact; says what would be
   *     right
   * @throws CallboardException {@code PAYLOAD_TOO_LARGE}
   */
  public static void check(@Nullable String key, @Nullable String value) {
    if (key == null || key.isEmpty() || key.length() > MOST_KEY) {
      throw new IllegalArgumentException(
          "the key of a fact has 1 to %d characters, not %s"
              .formatted(MOST_KEY, key == null ? "null" : key.length()));
    } else if (key.startsWith(OWN)) {
      throw new IllegalArgumentException(
          "the fact \"%s\" is reserved for Callboard: use a key that does not begin with %s"
              .formatted(key, OWN));
    } else if (value == null) {
      throw new IllegalArgumentException(
          "the value of the fact \"%s\" is null: give a text, which may be empty".formatted(key));
    }
    int bytes = Json.bytes(value).length;
    if (bytes > MOST_VALUE) {
      throw CallboardException.tooLarge(
          "the value of the fact \"%s\" as JSON".formatted(key), bytes, MOST_VALUE);
    }
  }

  /** Publishes a fact; one refused with {@code PAYLOAD_TOO_LARGE} changes nothing. */
  public Future<Void> publish(String key, String value) {
    Map<String, String> next = new HashMap<>(facts);
    next.put(key, value);
    if (!key.startsWith(OWN)) {
      Map<String, String> told = new HashMap<>(next);
      told.keySet().removeIf(each -> each.startsWith(OWN));
      int bytes = Json.bytes(told).length;
      if (bytes > MOST_BYTES) {
        return Future.failedFuture(
            CallboardException.tooLarge(
                "with \"%s\", the JSON of the %d facts of this node".formatted(key, told.size()),
                bytes,
                MOST_BYTES));
      }
    }
    facts.put(key, value);
    return store.publish(Map.copyOf(next));
  }
}
