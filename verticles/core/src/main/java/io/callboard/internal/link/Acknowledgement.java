package io.callboard.internal.link;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import java.util.List;

/**
 * What became of one frame: all its messages are in their mailboxes but for the refused.
 *
 * @param lost how many frames right before this one never came
 * @param refused in the order of their indexes
 */
record Acknowledgement(long sequence, long lost, List<Refusal> refused) {
  private static final int TEXT = 200;
  private static final int OVERHEAD = 16;

  /** A message, by its index in its frame, that was not taken. */
  record Refusal(int index, Code code, String text) {
    Refusal {
      text = text.length() > TEXT ? text.substring(0, TEXT) : text;
    }

    static Refusal of(int index, CallboardException cause) {
      return new Refusal(index, cause.code(), String.valueOf(cause.getMessage()));
    }
  }

  /** About what it takes in a frame, rather more. */
  int bytes() {
    int sum = OVERHEAD;
    for (Refusal refusal : refused) {
      sum += OVERHEAD + refusal.text().length() * 3;
    }
    return sum;
  }
}
