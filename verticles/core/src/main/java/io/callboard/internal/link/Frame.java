package io.callboard.internal.link;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.supervision.Causes;
import java.util.List;

/** Content of one event-bus message from one node to another. */
sealed interface Frame {
  /** Returns the origin: the sending node. */
  Origin origin();

  /**
   * Node as frames name it.
   *
   * @param boot its boot id, which makes its address
   * @param name for people
   */
  record Origin(String boot, String name) {}

  /**
   * Frame that opens a link, or probes its other end.
   *
   * @param link rises with each link of a boot
   * @param next the sequence of the next frame
   */
  record Hello(Origin origin, long link, long next) implements Frame {}

  /** Frame that answers a hello, with the credit of the link: what may be unacknowledged. */
  record Welcome(Origin origin, long link, int messages, int bytes) implements Frame {}

  /**
   * Messages of one link and acknowledgements for the reverse one; either may be missing.
   *
   * @param link of the messages
   * @param sequence counts the link's frames with messages from 1; 0 without messages
   * @param acknowledged the link of the acknowledgements
   */
  record Data(
      Origin origin,
      long link,
      long sequence,
      long acknowledged,
      List<Acknowledgement> acknowledgements,
      List<IncomingMessage> messages)
      implements Frame {}

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
        return new Refusal(index, cause.code(), Causes.message(cause));
      }
    }

    /** Returns its size in a frame in bytes, approximately: rather more. */
    int bytes() {
      int sum = OVERHEAD;
      for (Refusal refusal : refused) {
        sum += OVERHEAD + refusal.text().length() * 3;
      }
      return sum;
    }
  }

  /**
   * Frame that announces that the sending node takes pushes over that link. A node that knows no
   * pushes does not say so, and one that sends none refuses this frame alone.
   */
  record TakesPushes(Origin origin, long link) implements Frame {}

  /** Datagram outside of any link; see {@link NodeSignals}. */
  @SuppressWarnings("ArrayRecordComponent")
  record Signal(Origin origin, String topic, byte[] body) implements Frame {}

  /**
   * Broadcast messages outside of any link; see {@link Broadcasts}. A node that knows none refuses
   * this frame alone.
   */
  record Broadcast(Origin origin, List<Broadcasts.News> messages) implements Frame {}

  /** Frame that reports that the link is not known at its other end. */
  record Reset(Origin origin, long link) implements Frame {}

  /** Frame that reports that the sending node leaves. */
  record Bye(Origin origin) implements Frame {}
}
