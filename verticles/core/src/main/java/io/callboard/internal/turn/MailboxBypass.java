package io.callboard.internal.turn;

import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.internal.commit.PendingUnit.Result;
import io.callboard.internal.readahead.MailboxMessage;
import io.callboard.time.Machine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bypass of the mailbox: handles messages sent on the owner's node without storing them first: the
 * commit of the turn is the only write. Messages that cannot go that way are put into the mailbox
 * with all that came later, in order; messages being handled then find their places there. The
 * design is in this package's note. A machine without I/O. Not thread-safe.
 */
@Machine
public final class MailboxBypass {
  /** Limit of its messages; at most half the limit of the mailbox. */
  static final int MOST = 4_096;

  /** Bytes after which it takes no further message. */
  static final int MOST_BYTES = 4 << 20;

  /** Limit of the messages that go into the mailbox at once after one whose handler was slow. */
  static final int MOST_SPARED = 1_024;

  /** Outlet into the mailbox. */
  public interface Outlet {
    /** Reports that a message was taken; one of the other methods is called for it later. */
    void taken();

    /** Holds new messages until {@link #release}. */
    void hold();

    /** Puts a message into the mailbox; the outcome is reported to {@link #stored}. */
    void put(BypassMessage message);

    /** Puts messages into the mailbox, in order, and then those held. */
    void release(List<BypassMessage> messages);

    /** Reports the outcome of a message to its sender. */
    void ended(BypassMessage message, Result result);
  }

  private final int most;
  private final Deque<BypassMessage> waiting = new ArrayDeque<>();

  /** Messages handed out or handled, and in no commit yet. */
  private final List<BypassMessage> begun = new ArrayList<>();

  private final List<BypassMessage> committing = new ArrayList<>();

  /** Messages on their way into the mailbox that nothing here waits for. */
  private final Set<BypassMessage> left = new HashSet<>();

  /**
   * Messages that the mailbox had no room for and that were not handled: they are put there again.
   */
  private final List<BypassMessage> back = new ArrayList<>();

  private final Map<MessageId, BypassMessage> sent = new HashMap<>();
  private @Nullable Outlet outlet;
  private int handedOut;
  private long bytes;
  private long offered;
  private long progress;
  private long seen;
  private int spares;
  private int toSpare;
  private boolean closed;
  private boolean holds;
  private boolean needsPlaces;

  /**
   * @param limit of the mailbox, in messages
   */
  MailboxBypass(int limit) {
    this.most = Math.min(MOST, limit / 2);
  }

  /** Sets the outlet; without one no message is taken. */
  public void outlet(Outlet where) {
    outlet = where;
  }

  private Outlet outlet() {
    return Objects.requireNonNull(outlet, "what was taken can be given back");
  }

  /**
   * Takes the message; one that is not taken goes into the mailbox, behind all that are here.
   *
   * @param free whether there is nothing in the mailbox that it would overtake
   * @return whether it was taken
   */
  boolean offer(BypassMessage message, boolean free) {
    boolean takes =
        free && !closed && outlet != null && message.isPlain() && size() < most && isQuick();
    if (!takes || bytes > MOST_BYTES) {
      close();
      return false;
    }
    progress += size() == 0 ? 1 : 0; // more mail is none
    message.number(++offered);
    waiting.addLast(message);
    bytes += message.envelope().size();
    outlet().taken();
    return true;
  }

  /** Returns whether the handlers are quick enough; tried again from time to time. */
  private boolean isQuick() {
    toSpare = Math.max(0, toSpare - 1);
    return toSpare == 0;
  }

  /** Returns whether messages wait to be handled. */
  boolean hasNext() {
    return !closed && !waiting.isEmpty();
  }

  /** Removes the next messages, to be handled. */
  List<Envelope> take(int atMost) {
    List<Envelope> mail = new ArrayList<>();
    while (mail.size() < atMost && !waiting.isEmpty()) {
      BypassMessage next = waiting.removeFirst();
      begun.add(next);
      mail.add(next.envelope());
    }
    handedOut = mail.size();
    progress++;
    return mail;
  }

  /** Returns whether messages are handed out whose handling has not been reported. */
  boolean isHandedOut() {
    return handedOut > 0;
  }

  /**
   * Takes back the messages handed out.
   *
   * @param count how many of them have begun to be handled, the first ones
   * @param found called with those of the others that are in the mailbox, the last first
   * @return those whose handling has begun
   */
  List<BypassMessage> begun(int count, Consumer<MailboxMessage> found) {
    int from = begun.size() - handedOut;
    handedOut = 0;
    progress++;
    for (int i = begun.size() - 1; i >= from + count; i--) {
      BypassMessage message = begun.remove(i);
      BypassMessage unused = sent.remove(message.id());
      MailboxMessage place = message.place();
      if (place != null) {
        found.accept(place);
      } else {
        leaveOrWait(message);
      }
    }
    List<BypassMessage> first = List.copyOf(begun.subList(from, begun.size()));
    put();
    return first;
  }

  private void leaveOrWait(BypassMessage message) {
    if (!message.isSent()) {
      waiting.addFirst(message);
    } else if (!message.isStored()) {
      boolean unused = left.add(message);
    }
  }

  /** Reports a slow handler: no message is to wait with it. */
  public void slow() {
    if (begun.isEmpty()) {
      close();
    } else if (!needsPlaces) {
      spares = Math.min(MOST_SPARED, Math.max(2, 2 * spares));
      toSpare = spares;
      place();
    }
  }

  /**
   * Reports that time has passed: messages that have made no progress since the last call go into
   * the mailbox.
   *
   * @return whether it holds any message
   */
  public boolean tick() {
    if (size() > 0 && progress == seen && committing.isEmpty()) {
      slow();
    }
    seen = progress;
    return size() > 0;
  }

  /** Requests places in the mailbox for the messages that are handled and in no commit. */
  void place() {
    needsPlaces = true;
    close();
    put();
  }

  /** Takes no further message until it is empty; waiting ones go into the mailbox. */
  void close() {
    if (!closed && size() > 0) {
      closed = true;
      holds = true;
      outlet().hold();
      put();
    }
  }

  /**
   * Puts messages into the mailbox, once it is certain that none that came before goes there after
   * them.
   */
  private void put() {
    if (!closed || !committing.isEmpty() || !(begun.isEmpty() || needsPlaces)) {
      return;
    }
    for (BypassMessage message : List.copyOf(begun)) {
      if (message.isHere()) {
        message.sent();
        sent.put(message.id(), message);
        outlet().put(message);
      }
    }
    if (committing.isEmpty()
        && left.isEmpty()
        && begun.stream().allMatch(BypassMessage::isStored)) {
      // else one of them may have to wait again, before these
      List<BypassMessage> all = new ArrayList<>(back);
      all.addAll(waiting);
      all.sort(Comparator.comparingLong(BypassMessage::number));
      back.clear();
      waiting.clear();
      if (holds || !all.isEmpty()) {
        holds = false;
        outlet().release(all);
      }
      reopen();
    }
  }

  private void reopen() {
    if (size() == 0) {
      bytes = 0;
      closed = false;
      needsPlaces = false;
    }
  }

  /**
   * Returns the number of messages with a place in the mailbox that are in no batch yet, or in one
   * that was not committed.
   */
  int placed() {
    return (int) begun.stream().filter(message -> message.place() != null).count();
  }

  /** Returns whether handled messages may be in the mailbox. */
  boolean needsPlaces() {
    return needsPlaces;
  }

  /** Returns whether turns wait until the places of their messages are known. */
  boolean isPlacing() {
    return needsPlaces && begun.stream().anyMatch(message -> !message.isSettled());
  }

  /**
   * Returns whether that message of the mailbox is one whose handling has begun here.
   *
   * @throws IllegalStateException if that cannot be decided
   */
  boolean claims(MailboxMessage found) {
    Envelope envelope = found.envelope();
    if (envelope == null && !sent.isEmpty()) {
      throw new IllegalStateException(
          "segment %d cannot be read and may hold the message that is being handled"
              .formatted(found.sequence()));
    }
    BypassMessage message = sent.isEmpty() || envelope == null ? null : sent.remove(envelope.id());
    if (message == null) {
      return false;
    }
    message.placed(found);
    return true;
  }

  /**
   * Takes the outcome of putting a message whose handling has begun into the mailbox.
   *
   * @return whether its sender is still to be answered from here
   */
  public boolean stored(BypassMessage message, Result result) {
    boolean isLeft = left.remove(message);
    if (result instanceof Result.Committed) {
      message.stored();
      put();
      reopen();
      return false;
    }
    BypassMessage unused = sent.remove(message.id());
    boolean isHere = begun.contains(message);
    if (isHere) {
      message.refused();
    } else if (isLeft) {
      back.add(message);
      put();
      reopen();
    }
    return isHere || isLeft;
  }

  /** Leaves a message to the mailbox; if it is not there, it is put there again. */
  void leaves(BypassMessage message) {
    begun.remove(message);
    if (!message.isStored()) {
      back.add(message);
    }
    put();
    reopen();
  }

  /** Records that the turns are about to be committed. */
  void committing(List<HandledMessage> turns) {
    for (HandledMessage handled : turns) {
      BypassMessage message = handled.direct();
      if (message != null) {
        begun.remove(message);
        committing.add(message);
      }
    }
  }

  /** Takes the outcome of the commit of the turns. */
  public void committed(List<HandledMessage> turns, Result result) {
    if (committing.isEmpty()) {
      return;
    }
    for (BypassMessage message : returned(turns)) {
      bytes -= message.envelope().size();
      outlet().ended(message, result);
    }
    spares /= 2;
    progress++;
    put();
    reopen();
  }

  /**
   * Takes back turns that are not committed for now, for want of room elsewhere: no message is to
   * wait with them.
   */
  void takenBack(List<HandledMessage> turns) {
    begun.addAll(0, returned(turns));
    place();
  }

  /** Removes the messages of these turns, whose commit has ended. */
  private List<BypassMessage> returned(List<HandledMessage> turns) {
    List<BypassMessage> messages = new ArrayList<>();
    for (HandledMessage handled : turns) {
      BypassMessage message = handled.direct();
      if (message != null && committing.remove(message)) {
        messages.add(message);
      }
    }
    return messages;
  }

  /** Takes back turns that will not be committed, as if their messages had not been handled. */
  public void notCommitted(List<HandledMessage> turns) {
    List<BypassMessage> undone = returned(turns);
    if (!undone.isEmpty()) {
      begun.addAll(0, undone);
      lifeEnded();
    }
  }

  /**
   * Gives up messages that were handled and are in no commit, at the end of a life: the next one
   * finds them in the mailbox.
   */
  void lifeEnded() {
    handedOut = 0;
    close();
    for (int i = begun.size() - 1; i >= 0; i--) {
      leaveOrWait(begun.get(i));
    }
    begun.clear();
    sent.clear();
    put();
    reopen();
  }

  /** Returns the number of its messages. */
  int size() {
    return waiting.size() + begun.size() + committing.size() + left.size() + back.size();
  }
}
