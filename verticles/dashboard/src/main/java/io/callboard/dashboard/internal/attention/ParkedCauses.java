package io.callboard.dashboard.internal.attention;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.store.ParkedKey;
import io.callboard.store.StoredParked;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Causes of parked messages, each parsed once. A key may come again with other bytes, as that of a
 * delivery which was replayed and given up once more; they are parsed again then. Keeps those of
 * the last list only. Thread-safe.
 */
final class ParkedCauses {
  private Map<ParkedKey, Parsed> known = Map.of();

  /**
   * Cause with what tells whether it is still that of the bytes under its key.
   *
   * @param checksum CRC-32C of the bytes
   */
  private record Parsed(int length, long checksum, ParkedMessage message) {
    boolean isOf(byte[] bytes) {
      return length == bytes.length && checksum == crc32c(bytes);
    }
  }

  /** Returns the messages of a list. */
  synchronized List<ParkedMessage> of(List<StoredParked> all) {
    Map<ParkedKey, Parsed> found = new HashMap<>();
    List<ParkedMessage> messages =
        all.stream()
            .map(
                stored -> {
                  Parsed before = known.get(stored.key());
                  Parsed now =
                      before != null && before.isOf(stored.bytes()) ? before : parsed(stored);
                  found.put(stored.key(), now);
                  return now.message();
                })
            .toList();
    known = found;
    return messages;
  }

  private static Parsed parsed(StoredParked stored) {
    String cause;
    try {
      JsonNode content = Json.parse(stored.key().toString(), stored.bytes());
      cause = content.path("cause").asText("its cause is not known");
    } catch (CodecException e) {
      cause = String.valueOf(e.getMessage());
    }
    return new Parsed(
        stored.bytes().length,
        crc32c(stored.bytes()),
        new ParkedMessage(stored.actor().toString(), cause));
  }

  private static long crc32c(byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes);
    return sum.getValue();
  }
}
