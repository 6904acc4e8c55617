package io.callboard.pollers.model;

/**
 * Defect of a configuration.
 *
 * @param pointer JSON pointer of what is wrong
 * @param message what is wrong, and what would be right
 */
public record ConfigDefect(String pointer, String message) {
  @Override
  public String toString() {
    return pointer + ": " + message;
  }
}
