package io.callboard.internal.link;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.internal.link.Frame.Acknowledgement;
import io.callboard.time.Machine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Outgoing link from this node to one peer: queued messages, frames without an acknowledgement, and
 * the next step. A machine without I/O; times are nanoseconds of any one clock; for one thread.
 */
@Machine
final class Link {
  /** Divisor of the credit: pushes use at most that part of it. */
  static final int PUSH_SHARE = 4;

  /** Result of {@link #tick}. */
  enum Wish {
    NOTHING,
    /** Send a hello: to be welcomed, or to probe the peer. */
    HELLO,
    /** Give the link up. */
    GIVE_UP
  }

  /** Listener for the outcomes of single messages. */
  interface Outcomes {
    void accepted(OutgoingMessage outgoingMessage);

    void refused(OutgoingMessage outgoingMessage, CallboardException cause);
  }

  /** Messages packed into one frame. */
  record Packed(long sequence, List<OutgoingMessage> messages, long bytes, long sentNs) {
    long pushes() {
      return messages.stream()
          .filter(outgoingMessage -> outgoingMessage.kind() == MessageKind.PUSH)
          .count();
    }
  }

  private final long id;
  private final LinkLimits limits;
  private final long madeNs;
  private final ArrayDeque<OutgoingMessage> queue = new ArrayDeque<>();
  private final ArrayDeque<OutgoingMessage> pushes = new ArrayDeque<>();
  private final ArrayDeque<Packed> flying = new ArrayDeque<>();
  private long queuedBytes;
  private long flyingBytes;
  private int flyingMessages;
  private int windowMessages;
  private int windowBytes;
  private long pushedBytes;
  private boolean open;
  private boolean takesPushes;
  private long next = 1;
  private long helloNs;
  private boolean greeted;

  Link(long id, LinkLimits limits, long nowNs) {
    this.id = id;
    this.limits = limits;
    this.madeNs = nowNs;
  }

  long id() {
    return id;
  }

  /** Returns the sequence of the next frame. */
  long next() {
    return next;
  }

  /** Queues a message; false if too many wait for this peer. */
  boolean offer(OutgoingMessage outgoingMessage) {
    int bytes = outgoingMessage.bytes();
    if (queue.size() >= limits.queueMessages() || queuedBytes + bytes > limits.queueBytes()) {
      return false;
    }
    queue.add(outgoingMessage);
    queuedBytes += bytes;
    return true;
  }

  /**
   * Queues a push; false if the peer takes none, or if the push could not leave at once and leave
   * most of the credit to messages.
   */
  boolean offerPush(OutgoingMessage push) {
    int waiting = queue.size() + pushes.size() + flyingMessages;
    long bytes = queuedBytes + pushedBytes + flyingBytes + push.bytes();
    if (!open
        || !takesPushes
        || waiting >= windowMessages / PUSH_SHARE
        || bytes > windowBytes / PUSH_SHARE) {
      return false;
    }
    pushes.add(push);
    pushedBytes += push.bytes();
    return true;
  }

  /** Records that the peer takes pushes. */
  void takesPushes() {
    takesPushes = true;
  }

  /** Opens the link: the peer takes that much without an acknowledgement. */
  void welcomed(int messages, int bytes) {
    open = true;
    windowMessages = messages;
    windowBytes = bytes;
  }

  /** Packs the next frame; null if nothing waits or the peer's credit is used up. */
  @Nullable Packed pack(long nowNs) {
    if (!open || (queue.isEmpty() && pushes.isEmpty())) {
      return null;
    }
    int messages = Math.min(limits.frameMessages(), windowMessages - flyingMessages);
    long room = Math.min(limits.frameBytes(), windowBytes - flyingBytes);
    List<OutgoingMessage> batch = new ArrayList<>(Math.max(1, Math.min(messages, queue.size())));
    long queued = fill(batch, queue, messages, room);
    queuedBytes -= queued;
    long pushed = queue.isEmpty() ? fill(batch, pushes, messages, room - queued) : 0;
    pushedBytes -= pushed;
    long bytes = queued + pushed;
    if (batch.isEmpty()) {
      return null;
    }
    Packed packed = new Packed(next++, batch, bytes, nowNs);
    flyingBytes += bytes;
    flyingMessages += batch.size();
    flying.add(packed);
    return packed;
  }

  /**
   * Moves messages that fit into the frame.
   *
   * @return their bytes
   */
  private long fill(
      List<OutgoingMessage> batch, ArrayDeque<OutgoingMessage> from, int most, long room) {
    long bytes = 0;
    for (OutgoingMessage head = from.peek(); head != null; head = from.peek()) {
      boolean fits = batch.size() < most && bytes + head.bytes() <= room;
      boolean alone = flying.isEmpty() && batch.isEmpty();
      if (!fits && !alone) {
        break;
      }
      from.remove();
      batch.add(head);
      bytes += head.bytes();
    }
    return bytes;
  }

  /**
   * Takes the peer's acknowledgement of a frame, and of those before it that it never saw.
   * Acknowledgements may come in any order; one for a frame not under way is ignored.
   */
  void acknowledged(Acknowledgement acknowledgement, String peer, Outcomes outcomes) {
    long sequence = acknowledgement.sequence();
    long firstLost = sequence - acknowledgement.lost();
    for (Iterator<Packed> left = flying.iterator(); left.hasNext(); ) {
      Packed packed = left.next();
      if (packed.sequence() > sequence) {
        return;
      }
      if (packed.sequence() < firstLost) {
        continue;
      }
      left.remove();
      flyingBytes -= packed.bytes();
      flyingMessages -= packed.messages().size();
      if (packed.sequence() == sequence) {
        settle(packed, acknowledgement, outcomes);
        return;
      }
      CallboardException lost =
          new CallboardException(Code.UNAVAILABLE, "lost on the way to node " + peer);
      packed.messages().forEach(outgoingMessage -> outcomes.refused(outgoingMessage, lost));
    }
  }

  private static void settle(Packed packed, Acknowledgement acknowledgement, Outcomes outcomes) {
    Iterator<Acknowledgement.Refusal> refusals = acknowledgement.refused().iterator();
    Acknowledgement.Refusal refusal = refusals.hasNext() ? refusals.next() : null;
    int index = 0;
    for (OutgoingMessage outgoingMessage : packed.messages()) {
      if (refusal != null && refusal.index() == index) {
        outcomes.refused(outgoingMessage, new CallboardException(refusal.code(), refusal.text()));
        refusal = refusals.hasNext() ? refusals.next() : null;
      } else {
        outcomes.accepted(outgoingMessage);
      }
      index++;
    }
  }

  /** Checks the time; called a few times per second, and when the link is new. */
  Wish tick(long nowNs) {
    Packed oldest = flying.peek();
    if (open && oldest == null) {
      return Wish.NOTHING;
    }
    long since = oldest == null ? madeNs : oldest.sentNs();
    long limit = (open ? limits.acknowledge() : limits.connect()).toNanos();
    if (nowNs - since > limit) {
      return Wish.GIVE_UP;
    }
    long probe = limits.probe().toNanos();
    boolean quiet = !open || nowNs - since >= probe;
    if (quiet && (!greeted || nowNs - helloNs >= probe)) {
      greeted = true;
      helloNs = nowNs;
      return Wish.HELLO;
    }
    return Wish.NOTHING;
  }

  /** Ends the link: its messages are refused, in order. */
  void end(CallboardException underWay, CallboardException waiting, Outcomes outcomes) {
    for (Packed packed : flying) {
      packed.messages().forEach(outgoingMessage -> outcomes.refused(outgoingMessage, underWay));
    }
    queue.forEach(outgoingMessage -> outcomes.refused(outgoingMessage, waiting));
    pushes.forEach(push -> outcomes.refused(push, waiting));
    flying.clear();
    queue.clear();
    pushes.clear();
    pushedBytes = 0;
    flyingBytes = 0;
    flyingMessages = 0;
    queuedBytes = 0;
  }

  boolean isOpen() {
    return open;
  }
}
