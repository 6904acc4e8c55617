package io.callboard.chaos;

import java.util.Random;

/**
 * Harm, and its end: when {@link #strike} returns, what was broken can work again, though it need
 * not yet.
 *
 * @param name one word or several with dashes
 */
record Fault(String name, Strike strike) {
  /** Does it; may block. */
  interface Strike {
    /**
     * @return what was struck
     */
    String on(Random random) throws Exception;
  }
}
