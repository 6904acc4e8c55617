package io.callboard.store;

/**
 * Key of an entry in an actor's journal, with the number and size of its events.
 *
 * @param turn that wrote it
 * @param events in it; 0 if the node that wrote it did not tell
 * @param bytes of it; 0 if the node that wrote it did not tell
 */
public record JournalKey(long turn, int events, int bytes) {
  /**
   * Creates a key.
   *
   * @throws IllegalArgumentException if a number is negative
   */
  public JournalKey {
    if (turn < 0 || events < 0 || bytes < 0) {
      throw new IllegalArgumentException(
          "a journal entry of turn %d with %d events and %d bytes".formatted(turn, events, bytes));
    }
  }
}
