package io.callboard.pollers.model;

/** Time at which a message is acknowledged to its source. */
public enum AckMode {
  /** As soon as what it starts is durable. */
  ON_ACCEPT("on_accept"),
  /** When what it started has ended well; a failure is tried again, or sets it aside. */
  ON_COMPLETE("on_complete");

  private final String word;

  AckMode(String word) {
    this.word = word;
  }

  /** Returns the word of the mode in configurations. */
  public String word() {
    return word;
  }
}
