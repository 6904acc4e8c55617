package io.callboard.dashboard.attention;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.store.ParkedKey;
import io.callboard.store.StoredParked;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Causes of parked messages, each parsed once: what is parked under a key never changes, and a key
 * is never used again. Keeps those of the last list only. Thread-safe.
 */
final class ParkedCauses {
  private Map<ParkedKey, ParkedMessage> known = Map.of();

  /** Returns the messages of a list. */
  synchronized List<ParkedMessage> of(List<StoredParked> all) {
    Map<ParkedKey, ParkedMessage> found = new HashMap<>();
    List<ParkedMessage> messages =
        all.stream()
            .map(
                stored -> {
                  ParkedMessage before = known.get(stored.key());
                  ParkedMessage message = before == null ? parsed(stored) : before;
                  found.put(stored.key(), message);
                  return message;
                })
            .toList();
    known = found;
    return messages;
  }

  private static ParkedMessage parsed(StoredParked stored) {
    String cause;
    try {
      JsonNode content = Json.parse(stored.key().toString(), stored.bytes());
      cause = content.path("cause").asText("its cause is not known");
    } catch (CodecException e) {
      cause = String.valueOf(e.getMessage());
    }
    return new ParkedMessage(stored.actor().toString(), cause);
  }
}
