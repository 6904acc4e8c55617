package io.callboard.internal.turn;

import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Handling;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.TraceContext;
import io.callboard.codecs.WrittenEvent;
import io.callboard.internal.mailbox.Envelopes;
import io.callboard.internal.mailbox.Reply;
import io.callboard.store.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What handling one message did, collected until its commit. Written on the actor's context while
 * the handler runs, read on the durable context afterwards.
 */
public final class Turn {
  /** A message to a durable actor, sent by the commit, which gives it its number. */
  public record Outgoing(ActorPath receiver, Envelope envelope) {}

  /** What an entry of the outbox takes in a commit, besides its message. */
  private static final int ENTRY_BYTES = 250;

  private static final MessageId UNNUMBERED = new MessageId("", 0);

  private final Reply reply;
  private final @Nullable TraceContext trace;
  private final List<Outgoing> outgoing = new ArrayList<>(2);
  private final List<WrittenEvent> events = new ArrayList<>(2);
  private final List<OutboxEntryChange> entries = new ArrayList<>(0);
  private final List<Object> enlisted = new ArrayList<>(0);
  private final List<Runnable> leaving = new ArrayList<>(2);
  private final List<Runnable> afterCommit = new ArrayList<>(2);
  private @Nullable Object state;
  private long bytes;
  private long large;
  private boolean wishesSnapshot;
  private boolean goesOn;
  private boolean deletes;
  private boolean aside;
  private int released;
  private boolean closed;
  private boolean readOnly;
  private @Nullable IllegalStateException wrote;

  /** Of a message that is a part of no trace. */
  public Turn(Reply reply) {
    this(reply, null);
  }

  /**
   * @param trace what its message is a part of; null if of nothing that is traced
   */
  public Turn(Reply reply, @Nullable TraceContext trace) {
    this.reply = reply;
    this.trace = trace;
  }

  /**
   * @param replyTo where the answer goes; null if nowhere
   * @throws CallboardException {@code PAYLOAD_TOO_LARGE} or {@code BAD_MESSAGE}
   */
  public void send(
      ActorPath receiver, Object message, @Nullable String replyTo, Handling handling) {
    send(List.of(receiver), message, replyTo, handling, trace);
  }

  /**
   * The same to each of them, written once.
   *
   * @param receivers not empty
   * @param along the trace that it is a part of; null if of none
   */
  public void send(
      List<ActorPath> receivers,
      Object message,
      @Nullable String replyTo,
      Handling handling,
      @Nullable TraceContext along) {
    open();
    Envelope envelope =
        Envelopes.of(UNNUMBERED, receivers.get(0), message, replyTo).with(handling).with(along);
    receivers.forEach(receiver -> send(receiver, envelope));
  }

  private void send(ActorPath receiver, Envelope envelope) {
    if (Envelopes.isLarge(envelope)) {
      large += envelope.bytes();
      if (large > Limits.TURN_BLOB_BYTES) {
        throw CallboardException.tooLarge(
            "with the message to %s, all large ones of one turn".formatted(receiver),
            large,
            Limits.TURN_BLOB_BYTES);
      }
    }
    outgoing.add(new Outgoing(receiver, envelope));
    bytes += envelope.size();
  }

  /** The message at that place of {@link #outgoing} has its body in the blob log now. */
  public void written(int index, Envelope envelope) {
    Outgoing unused = outgoing.set(index, new Outgoing(outgoing.get(index).receiver(), envelope));
  }

  /**
   * @throws io.callboard.codecs.CodecException if it cannot be stored
   * @throws IllegalArgumentException for a tag that is none
   * @throws CallboardException {@code PAYLOAD_TOO_LARGE}
   */
  public void event(ActorPath actor, Object event, Set<String> tags) {
    changeable();
    WrittenEvent written = WrittenEvent.of(event, tags);
    FeedMessages.check(actor, written);
    events.add(written);
    bytes += (long) written.bytes() * (1 + tags.size());
  }

  /** Whether it sends what has to be in the blob log before it commits. */
  boolean hasLarge() {
    return large > 0;
  }

  /** Something that is to be outside before the turn commits. */
  public void enlist(Object work) {
    changeable();
    enlisted.add(work);
  }

  public List<Object> enlisted() {
    return enlisted;
  }

  /** The actor may go on while this turn commits. */
  public void goOn() {
    open();
    goesOn = true;
  }

  /** Whether the next messages may be handled while it commits: told so, or nothing durable. */
  boolean goesOn() {
    return enlisted.isEmpty() && (goesOn || changesNothing());
  }

  /** Nothing of the actor is left after this turn, but its mail. */
  public void delete() {
    open();
    deletes = true;
  }

  /** Whether it is the last turn of its actor, which begins anew. */
  public boolean deletes() {
    return deletes;
  }

  /** The actor's predicate calls for a snapshot after this turn. */
  public void wishSnapshot() {
    open();
    wishesSnapshot = true;
  }

  public boolean wishesSnapshot() {
    return wishesSnapshot;
  }

  public void state(Object next) {
    changeable();
    state = next;
  }

  public void afterCommit(Runnable effect) {
    open();
    afterCommit.add(effect);
  }

  /** Something of the toolkit's own that leaves the actor with the commit. */
  public void leaving(Runnable effect) {
    open();
    leaving.add(effect);
  }

  /**
   * Lets everything out that is not durable, once, before the turn commits.
   *
   * @return what failed of it: the turn has failed with that; null if all has left
   */
  public @Nullable Throwable leaveFirst() {
    try {
      leaving.forEach(Runnable::run);
      afterCommit.forEach(Runnable::run);
    } catch (Throwable e) { // also one that no signature names
      return e;
    }
    leaving.clear();
    afterCommit.clear();
    return null;
  }

  public void entry(OutboxEntryChange change) {
    changeable();
    entries.add(change);
    bytes += ENTRY_BYTES + (change.entry() == null ? 0 : change.entry().message().size());
  }

  /** What it does to durable timers and deliveries. */
  public List<OutboxEntryChange> entries() {
    return entries;
  }

  /** Its message is to be handled later; it stays in the mailbox, and the turn does nothing. */
  public void putAside() {
    open();
    aside = true;
  }

  public boolean isAside() {
    return aside;
  }

  /** The oldest {@code most} of what was put aside are to be handled next. */
  public void release(int most) {
    open();
    released = most > Integer.MAX_VALUE - released ? Integer.MAX_VALUE : released + most;
  }

  public boolean releases() {
    return released > 0;
  }

  /** How many of what was put aside are to be handled next, at most. */
  public int released() {
    return released;
  }

  /** Whether nothing at all came of it, durable or not. */
  public boolean doesNothing() {
    return changesNothing() && leaving.isEmpty() && afterCommit.isEmpty() && !releases();
  }

  /** Whether a query runs: what it tries to change is refused. */
  public void readOnly(boolean now) {
    readOnly = now;
  }

  /** The handler is done: what it still tries is refused. */
  public void close() {
    closed = true;
  }

  private void changeable() {
    open();
    if (deletes) {
      throw new IllegalStateException(
          "the actor has deleted itself in this turn: nothing more can be stored of it");
    }
  }

  private void open() {
    if (closed) {
      throw new IllegalStateException(
          "the turn is over: return a future from the handler to keep it open");
    } else if (readOnly) {
      wrote =
          new IllegalStateException(
              "a query only reads: declare what changes or sends something with message(…)");
      throw wrote;
    }
  }

  /** Something of the actor's is begun that is not a part of the turn. */
  public void begins() {
    open();
  }

  /** What a query has tried and was refused, whatever it made of that; null if nothing. */
  public @Nullable IllegalStateException wrote() {
    return wrote;
  }

  public boolean isReadOnly() {
    return readOnly;
  }

  /** Whether nothing durable came of it. */
  public boolean changesNothing() {
    return outgoing.isEmpty()
        && events.isEmpty()
        && state == null
        && entries.isEmpty()
        && enlisted.isEmpty()
        && !deletes;
  }

  /** Of the messages it sends, and of its events. */
  public long bytes() {
    return bytes;
  }

  public Reply reply() {
    return reply;
  }

  public @Nullable TraceContext trace() {
    return trace;
  }

  public List<Outgoing> outgoing() {
    return outgoing;
  }

  public List<WrittenEvent> events() {
    return events;
  }

  public @Nullable Object state() {
    return state;
  }

  public List<Runnable> leaving() {
    return leaving;
  }

  /** The user's own, for the actor's context. */
  public List<Runnable> effects() {
    return afterCommit;
  }
}
