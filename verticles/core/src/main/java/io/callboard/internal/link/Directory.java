package io.callboard.internal.link;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BoundedMap;
import io.callboard.time.Machine;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Directory of actors by node. While an actor is being located, the messages for it wait, in order
 * and within a bound. A machine without I/O; for one thread.
 */
@Machine
final class Directory {
  private final int limit;
  private final long waitingMessages;
  private final long waitingBytes;
  private final Map<ActorPath, String> known;
  private final Map<ActorPath, Queue<OutgoingMessage>> waiting = new HashMap<>();
  private long messages;
  private long bytes;

  /** Treatment of a message. */
  enum Wish {
    /** Wait, and locate its actor in the cell. */
    LOCATE,
    /** Wait for the location under way. */
    WAIT,
    /** Refuse it: too many wait already. */
    REFUSE
  }

  /**
   * @param limit the most places remembered; the least recently used go first
   * @param waitingMessages the most messages that wait in all
   * @param waitingBytes the most bytes that wait in all
   */
  Directory(int limit, int waitingMessages, int waitingBytes) {
    this.limit = limit;
    this.waitingMessages = waitingMessages;
    this.waitingBytes = waitingBytes;
    this.known = BoundedMap.ofRecent(limit);
  }

  /** Returns the boot id of the node that had the actor last; null if the actor must be located. */
  @Nullable String find(ActorPath actor) {
    return known.get(actor);
  }

  /** Holds a message whose actor is not known. */
  Wish hold(OutgoingMessage outgoingMessage) {
    if (messages >= waitingMessages || bytes + outgoingMessage.bytes() > waitingBytes) {
      return Wish.REFUSE;
    }
    messages++;
    bytes += outgoingMessage.bytes();
    Queue<OutgoingMessage> others = waiting.get(outgoingMessage.to());
    if (others != null) {
      others.add(outgoingMessage);
      return Wish.WAIT;
    }
    Queue<OutgoingMessage> first = new ArrayDeque<>();
    first.add(outgoingMessage);
    waiting.put(outgoingMessage.to(), first);
    return Wish.LOCATE;
  }

  /** Removes the messages that waited for an actor, in order, whether it was found or not. */
  Queue<OutgoingMessage> release(ActorPath actor) {
    Queue<OutgoingMessage> released = waiting.remove(actor);
    if (released == null) {
      return new ArrayDeque<>();
    }
    messages -= released.size();
    released.forEach(outgoingMessage -> bytes -= outgoingMessage.bytes());
    return released;
  }

  void found(ActorPath actor, String boot) {
    known.put(actor, boot);
  }

  /** Forgets an actor that is no longer on that node. */
  void forget(ActorPath actor, String boot) {
    var unused = known.remove(actor, boot);
  }

  /** Forgets a node that is gone. */
  void forget(String boot) {
    known.values().removeIf(boot::equals);
  }

  /** Returns the actors that messages wait for. */
  Iterable<ActorPath> awaited() {
    return new java.util.ArrayList<>(waiting.keySet());
  }
}
