package io.callboard.pollers.source;

/** Setting of a source that is unknown, missing or wrong. */
public final class SourceSettingException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String pointer;

  /**
   * Creates the failure.
   *
   * @param pointer JSON pointer of the setting, as {@code /url}
   * @param message what is wrong, and what would be right
   */
  public SourceSettingException(String pointer, String message) {
    super(message);
    this.pointer = pointer;
  }

  /** Returns the JSON pointer of the setting. */
  public String pointer() {
    return pointer;
  }
}
