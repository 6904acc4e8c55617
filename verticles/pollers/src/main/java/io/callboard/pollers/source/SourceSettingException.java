package io.callboard.pollers.source;

import io.callboard.codecs.fields.FieldDefect;
import java.util.List;

/** Settings of a source that are unknown, missing or wrong. */
public final class SourceSettingException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<FieldDefect> defects;

  /**
   * Creates the failure.
   *
   * @param defects what is wrong, with JSON pointers from the settings, as {@code /url}
   */
  public SourceSettingException(List<FieldDefect> defects) {
    super(FieldDefect.line(defects));
    this.defects = List.copyOf(defects);
  }

  /** Returns what is wrong, with JSON pointers from the settings. */
  public List<FieldDefect> defects() {
    return defects == null ? List.of() : defects;
  }
}
