package io.callboard.internal.link;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import java.util.List;

/**
 * Acknowledgement of one frame: all its messages are in their mailboxes except the refused ones.
 *
 * @param lost how many frames right before this one never came
 * @param refused in the order of their indexes
 */
record Acknowledgement(long sequence, long lost, List<Refusal> refused) {
  private static final int TEXT = 200;
  private static final int OVERHEAD = 16;

  /** Refusal of a message, by its index in its frame. */
  record Refusal(int index, Code code, String text) {
    Refusal {
      text = text.length() > TEXT ? text.substring(0, TEXT) : text;
    }

    static Refusal of(int index, CallboardException cause) {
      return new Refusal(index, cause.code(), String.valueOf(cause.getMessage()));
    }
  }

  /** Its size in a frame in bytes, about; rather more. */
  int bytes() {
    int sum = OVERHEAD;
    for (Refusal refusal : refused) {
      sum += OVERHEAD + refusal.text().length() * 3;
    }
    return sum;
  }
}
