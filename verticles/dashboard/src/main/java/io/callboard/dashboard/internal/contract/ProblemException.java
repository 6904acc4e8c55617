package io.callboard.dashboard.internal.contract;

import java.util.List;

/** Exception that ends a request with a {@link Problem}. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  /** Creates the exception. */
  public ProblemException(Problem problem) {
    super(problem.detail());
    this.problem = problem;
  }

  /** Returns the problem. */
  public Problem problem() {
    return problem;
  }

  /** Creates a problem of kind {@code NOT_FOUND}. */
  public static ProblemException notFound(String detail) {
    return new ProblemException(Problem.of(Problem.Kind.NOT_FOUND, detail));
  }

  /** Creates a problem of kind {@code FORBIDDEN}. */
  public static ProblemException forbidden(String detail) {
    return new ProblemException(Problem.of(Problem.Kind.FORBIDDEN, detail));
  }

  /** Creates a problem of kind {@code UNAUTHENTICATED}. */
  public static ProblemException unauthenticated(String detail) {
    return new ProblemException(Problem.of(Problem.Kind.UNAUTHENTICATED, detail));
  }

  /** Creates a problem of kind {@code OVERLOADED}. */
  public static ProblemException overloaded(String detail) {
    return new ProblemException(Problem.of(Problem.Kind.OVERLOADED, detail));
  }

  /** Creates a problem of kind {@code MALFORMED}. */
  public static ProblemException malformed(List<Fault> faults) {
    return new ProblemException(Problem.of(Problem.Kind.MALFORMED, faults));
  }

  /** Creates a problem of kind {@code INVALID}. */
  public static ProblemException invalid(List<Fault> faults) {
    return new ProblemException(Problem.of(Problem.Kind.INVALID, faults));
  }

  /**
   * Creates a problem of kind {@code INVALID} for one fault.
   *
   * @param pointer as in {@link Fault}
   */
  public static ProblemException invalid(String pointer, String detail) {
    return invalid(List.of(new Fault(pointer, detail)));
  }

  /** Creates a problem of kind {@code TOO_LARGE}. */
  public static ProblemException tooLarge(long limitBytes) {
    return new ProblemException(
        Problem.of(
            Problem.Kind.TOO_LARGE,
            "the body exceeds the limit of %d bytes".formatted(limitBytes)));
  }

  /**
   * Creates a problem of kind {@code UNSUPPORTED_MEDIA_TYPE} for a body that is not JSON.
   *
   * @param given the media type of the request; may be empty
   */
  public static ProblemException notJson(String given) {
    return unsupported(List.of("application/json"), given);
  }

  /**
   * Creates a problem of kind {@code UNSUPPORTED_MEDIA_TYPE}.
   *
   * @param allowed the media types that the body may have
   * @param given the media type of the request; may be empty
   */
  static ProblemException unsupported(List<String> allowed, String given) {
    String right = String.join(" or ", allowed);
    return new ProblemException(
        Problem.of(
            Problem.Kind.UNSUPPORTED_MEDIA_TYPE,
            given.isEmpty()
                ? "every write needs a Content-Type, also one without a body: " + right
                : "the body must be %s, not %s".formatted(right, IsoText.quoted(given))));
  }
}
