package io.callboard.examples.dangerous;

/** Request to the service. */
public sealed interface Request {
  long number();

  /**
   * Request for a price; answered with a {@link Price}. As a caller waits, an old price is better
   * than none.
   */
  record GetPrice(long number) implements Request {}

  /** Answered with {@link Accepted}: it can wait, but must come, and in order. */
  record PutOrder(long number) implements Request {}

  /**
   * Price of a product.
   *
   * @param old whether it is the last known one, not the current one
   */
  record Price(long number, long cents, boolean old) {}

  /** The service has the order. */
  record Accepted(long number) {}
}
