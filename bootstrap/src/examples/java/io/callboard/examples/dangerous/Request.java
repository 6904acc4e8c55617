package io.callboard.examples.dangerous;

/** What is asked of the service. */
public sealed interface Request {
  long number();

  /** Answered with a {@link Price}: somebody waits for it, an old one is better than none. */
  record GetPrice(long number) implements Request {}

  /** Answered with {@link Accepted}: it can wait, but must come, and in order. */
  record PutOrder(long number) implements Request {}

  /**
   * What it costs.
   *
   * @param old whether it is the last that was known
   */
  record Price(long number, long cents, boolean old) {}

  /** The service has the order. */
  record Accepted(long number) {}
}
