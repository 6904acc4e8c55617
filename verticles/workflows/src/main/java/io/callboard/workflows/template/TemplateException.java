package io.callboard.workflows.template;

/** Template that is invalid, or lacks a value of the data. */
public final class TemplateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String pointer;

  /**
   * Creates the failure.
   *
   * @param pointer JSON pointer of the text in the template
   */
  public TemplateException(String pointer, String message) {
    super(message);
    this.pointer = pointer;
  }

  /** Returns the JSON pointer of the text, from the root of the template. */
  public String pointer() {
    return pointer;
  }
}
