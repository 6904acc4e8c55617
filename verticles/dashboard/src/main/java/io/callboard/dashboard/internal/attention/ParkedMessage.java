package io.callboard.dashboard.internal.attention;

/**
 * Parked message, as far as the rules need it.
 *
 * @param actor path of the actor that could not handle it
 * @param cause why, as it was stored
 * @param fingerprint what the cause has in common with those that differ only in ids and numbers
 */
public record ParkedMessage(String actor, String cause, String fingerprint) {
  /** Creates a message with the fingerprint of its cause. */
  public ParkedMessage(String actor, String cause) {
    this(actor, cause, Fingerprint.of(cause));
  }
}
