package io.callboard.pollers.model;

import io.callboard.codecs.fields.FieldDefect;
import java.util.List;

/** Refusal of a request by the pollers, of a kind that the {@link Code} names. */
public final class PollersException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Kind of refusal. */
  public enum Code {
    /** Source that is not configured. */
    NOT_FOUND,
    /** Invalid configuration or request. */
    INVALID,
    /** Source whose kind or state does not allow the request. */
    ILLEGAL_STATE,
    /** Limit that is reached; try again later. */
    OVERLOADED,
    /** Request without an answer in time; the outcome is unknown. */
    UNAVAILABLE
  }

  private final Code code;
  private final transient List<FieldDefect> defects;

  /** Creates a refusal. */
  public PollersException(Code code, String message) {
    this(code, message, List.of());
  }

  /** Creates the refusal of a configuration, with at least one defect. */
  public PollersException(List<FieldDefect> defects) {
    this(Code.INVALID, FieldDefect.line(defects), defects);
  }

  private PollersException(Code code, String message, List<FieldDefect> defects) {
    super(message);
    this.code = code;
    this.defects = List.copyOf(defects);
  }

  /** Returns the kind of refusal. */
  public Code code() {
    return code;
  }

  /** Returns the defects of a configuration; empty for other refusals. */
  public List<FieldDefect> defects() {
    return defects == null ? List.of() : defects;
  }
}
