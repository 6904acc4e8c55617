package io.callboard.jobs.model;

/** A request that the job scheduler refuses; the {@link Code} says what kind of mistake it is. */
public final class JobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Kinds of refusal. */
  public enum Code {
    /** There is no such job or type. */
    NOT_FOUND,
    /** The job is not in a state that allows it; the message names the state. */
    ILLEGAL_STATE,
    /** The request makes no sense; the message names the field. */
    INVALID,
    /** The queue is at its limit: try later. */
    OVERLOADED,
    /** No answer in time, or no quorum: the outcome is unknown. */
    UNAVAILABLE
  }

  private final Code code;
  private final String pointer;

  public JobException(Code code, String pointer, String message) {
    super(message);
    this.code = code;
    this.pointer = pointer;
  }

  public JobException(Code code, String message) {
    this(code, "", message);
  }

  public Code code() {
    return code;
  }

  /** The JSON pointer of the field at fault; empty if it is none. */
  public String pointer() {
    return pointer;
  }
}
