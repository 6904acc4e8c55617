package io.callboard.internal.turn;

import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.internal.commit.PendingUnit.Result;
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
 * Messages told outside of turns to one durable actor of this node that nobody has stored: they are
 * handled, and the commit of their turn is all that is written of them. What cannot go that way is
 * put into the mailbox, with all that came later, in order; what is being handled then finds its
 * place there. The design is in this package's note. A machine without I/O. Not thread-safe.
 */
@Machine
public final class MailboxBypass {
  /** Messages that it holds at most, or half the limit of the mailbox. */
  static final int MOST = 4_096;

  /** Bytes after which it takes no further one. */
  static final int MOST_BYTES = 4 << 20;

  /** Messages at most that go into the mailbox at once after one whose handler was slow. */
  static final int MOST_SPARED = 1_024;

  /** Where messages go from here. */
  public interface Outlet {
    /** One was taken; it is told of once more, by one of the others. */
    void taken();

    /** What is told from now on waits until {@link #release}. */
    void hold();

    /** Puts a message into the mailbox; what becomes of that is told to {@link #stored}. */
    void put(BypassMessage message);

    /** Puts messages into the mailbox, in order, and then what was held. */
    void release(List<BypassMessage> messages);

    /** What became of the message: its sender is told. */
    void ended(BypassMessage message, Result result);
  }

  private final int most;
  private final Deque<BypassMessage> waiting = new ArrayDeque<>();

  /** Handed out or handled, and in no commit yet. */
  private final List<BypassMessage> begun = new ArrayList<>();

  private final List<BypassMessage> committing = new ArrayList<>();

  /** On their way into the mailbox, and nobody here answers for them. */
  private final Set<BypassMessage> left = new HashSet<>();

  /** The mailbox had no room for them, and nothing came of them here: they go there again. */
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

  /** Without one it takes nothing. */
  public void outlet(Outlet where) {
    outlet = where;
  }

  private Outlet outlet() {
    return Objects.requireNonNull(outlet, "what was taken can be given back");
  }

  /**
   * Takes the message, or not; then it goes into the mailbox, behind all that is here.
   *
   * @param free whether nothing is in the mailbox that it would overtake
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

  /** Whether its handlers are; from time to time that is tried. */
  private boolean isQuick() {
    toSpare = Math.max(0, toSpare - 1);
    return toSpare == 0;
  }

  /** Whether messages wait to be handled. */
  boolean hasNext() {
    return !closed && !waiting.isEmpty();
  }

  /** Hands out the next ones. */
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

  /** Whether it is not known what became of some that were handed out. */
  boolean isHandedOut() {
    return handedOut > 0;
  }

  /**
   * Those of the messages handed out whose handling has begun.
   *
   * @param count how many of them, the first ones
   * @param found told of those of the others that lie in the mailbox, the last first
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

  /** A handler of the actor takes its time: nobody is to wait with it. */
  public void slow() {
    if (begun.isEmpty()) {
      close();
    } else if (!needsPlaces) {
      spares = Math.min(MOST_SPARED, Math.max(2, 2 * spares));
      toSpare = spares;
      place();
    }
  }

  /** Time passes: what has come no further since the last time goes. Whether it holds anything. */
  public boolean tick() {
    if (size() > 0 && progress == seen && committing.isEmpty()) {
      slow();
    }
    seen = progress;
    return size() > 0;
  }

  /** What is handled and in no commit needs a place in the mailbox. */
  void place() {
    needsPlaces = true;
    close();
    put();
  }

  /** Nothing more is taken until all is gone; what waits goes into the mailbox. */
  void close() {
    if (!closed && size() > 0) {
      closed = true;
      holds = true;
      outlet().hold();
      put();
    }
  }

  /** Not before it is certain that nothing of what came first goes there after it. */
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

  /** Those of {@link #claims} that are in no batch yet, or in one that was not committed. */
  int placed() {
    return (int) begun.stream().filter(message -> message.place() != null).count();
  }

  /** Whether what is handled may lie in the mailbox. */
  boolean needsPlaces() {
    return needsPlaces;
  }

  /** Whether turns wait until it is known where their messages lie. */
  boolean isPlacing() {
    return needsPlaces && begun.stream().anyMatch(message -> !message.isSettled());
  }

  /**
   * Whether that message of the mailbox is one that was begun here.
   *
   * @throws IllegalStateException if it cannot be told
   */
  boolean claims(MailboxMessage found) {
    Envelope envelope = found.envelope();
    if (envelope == null && !sent.isEmpty()) {
      throw new IllegalStateException(
          "segment %d cannot be read, and may hold what is being handled"
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
   * What became of one that was begun, on its way into the mailbox.
   *
   * @return whether the answer for it is here still
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

  /** The mailbox answers for it from now on; if it is not there, it goes there again. */
  void leaves(BypassMessage message) {
    begun.remove(message);
    if (!message.isStored()) {
      back.add(message);
    }
    put();
    reopen();
  }

  /** These are about to be committed. */
  void committing(List<HandledMessage> turns) {
    for (HandledMessage handled : turns) {
      BypassMessage message = handled.direct();
      if (message != null) {
        begun.remove(message);
        committing.add(message);
      }
    }
  }

  /** What became of the commit of these. */
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

  /** These are not committed for now, for want of room elsewhere: nobody is to wait with them. */
  void takenBack(List<HandledMessage> turns) {
    begun.addAll(0, returned(turns));
    place();
  }

  /** Those of the commit of these turns, which is over. */
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

  /** It came to nothing: they are as if they had not been handled. */
  public void notCommitted(List<HandledMessage> turns) {
    List<BypassMessage> undone = returned(turns);
    if (!undone.isEmpty()) {
      begun.addAll(0, undone);
      lifeEnded();
    }
  }

  /** What was handled and is in no commit was in vain; another life finds it in the mailbox. */
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

  /** Messages in it. */
  int size() {
    return waiting.size() + begun.size() + committing.size() + left.size() + back.size();
  }
}
