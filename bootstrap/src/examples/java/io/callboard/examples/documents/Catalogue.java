package io.callboard.examples.documents;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Step {@code announce}: a catalogue as an unreliable service. It refuses each third document at
 * the first attempt, by its name, so that one sees retries. Thread-safe.
 */
final class Catalogue {
  private static final int REFUSES_EVERY = 3;

  private final Set<String> announced = ConcurrentHashMap.newKeySet();

  /**
   * Announces a document.
   *
   * @param key key of the request: repeated, it is the same request
   * @param attempt number of the attempt, from 1
   * @return whether that is news to the catalogue
   * @throws IOException if it refuses; the next attempt will be taken
   */
  boolean announce(String document, String key, int attempt) throws IOException {
    if (attempt == 1 && Math.floorMod(document.hashCode(), REFUSES_EVERY) == 0) {
      throw new IOException("the catalogue is busy: try again (on purpose)");
    }
    return announced.add(key);
  }
}
