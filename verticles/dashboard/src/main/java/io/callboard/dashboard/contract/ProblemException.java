package io.callboard.dashboard.contract;

import java.util.List;

/** Ends a request with a {@link Problem}. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  public ProblemException(Problem problem) {
    super(problem.detail());
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }

  public static ProblemException notFound(String detail) {
    return new ProblemException(Problem.of(Problem.Kind.NOT_FOUND, detail));
  }

  public static ProblemException forbidden(String detail) {
    return new ProblemException(Problem.of(Problem.Kind.FORBIDDEN, detail));
  }

  public static ProblemException overloaded(String detail) {
    return new ProblemException(Problem.of(Problem.Kind.OVERLOADED, detail));
  }

  public static ProblemException malformed(List<Fault> faults) {
    return new ProblemException(Problem.of(Problem.Kind.MALFORMED, faults));
  }

  public static ProblemException invalid(List<Fault> faults) {
    return new ProblemException(Problem.of(Problem.Kind.INVALID, faults));
  }

  public static ProblemException invalid(String pointer, String detail) {
    return invalid(List.of(new Fault(pointer, detail)));
  }

  public static ProblemException tooLarge(long limitBytes) {
    return new ProblemException(
        Problem.of(
            Problem.Kind.TOO_LARGE,
            "the body exceeds the limit of %d bytes".formatted(limitBytes)));
  }

  public static ProblemException notJson(String given) {
    return new ProblemException(
        Problem.of(
            Problem.Kind.UNSUPPORTED_MEDIA_TYPE,
            given.isEmpty()
                ? "the body has no Content-Type; it must be application/json"
                : "the body must be application/json, not " + IsoText.quoted(given)));
  }
}
