package io.callboard.jobs.internal.files;

/**
 * Part of a log.
 *
 * @param text decoded as UTF-8, malformed bytes replaced
 * @param size size of the whole log when it was read, in bytes
 * @param complete whether the text is all of it
 */
public record LogText(String text, long size, boolean complete) {
  /** Returns the last lines of the text. */
  public LogText tail(int lines) {
    int from = text.endsWith("\n") ? text.length() - 1 : text.length();
    for (int i = 0; i < lines && from >= 0; i++) {
      from = text.lastIndexOf('\n', from - 1);
    }
    return from < 0 ? this : new LogText(lines == 0 ? "" : text.substring(from + 1), size, false);
  }
}
