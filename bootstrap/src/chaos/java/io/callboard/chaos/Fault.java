package io.callboard.chaos;

import java.util.Random;

/**
 * Fault and its repair: when {@link #strike} returns, the broken part can work again, though it
 * need not do so yet.
 *
 * @param name one word or several with dashes
 */
record Fault(String name, Strike strike) {
  /** Action of the fault; may block. */
  interface Strike {
    /**
     * Causes the fault and repairs it.
     *
     * @return name of the part that was broken
     */
    String on(Random random) throws Exception;
  }
}
