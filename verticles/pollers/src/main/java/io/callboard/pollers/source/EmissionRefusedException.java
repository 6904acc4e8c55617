package io.callboard.pollers.source;

/**
 * Refusal of a message that is to be sent, for good: no repetition of {@link Source#emit} with the
 * same message and target could succeed, as with a name that is too long for the system. Its
 * message for people says what is wrong, and what would be right.
 *
 * <p>Whatever may be mended outside of the message is none: a system that is away, a queue that is
 * missing or full, rights that are missing. Those fail with another {@link SourceException} and are
 * tried again, though not for ever.
 */
public final class EmissionRefusedException extends SourceException {
  private static final long serialVersionUID = 1;

  /** Creates a refusal. */
  public EmissionRefusedException(String message) {
    super(message);
  }
}
