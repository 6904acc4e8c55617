package io.callboard.internal.commit;

import io.callboard.codecs.ActorPath;
import io.callboard.store.CommitUnit;
import io.callboard.time.Machine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Queue of messages from outside of turns: while a commit to a mailbox is under way, further
 * messages to it wait and then go together. A segment costs the store, and its reader, several
 * operations, whatever it holds; so under load a mailbox gets few large segments instead of many
 * small ones. No message waits for longer than one commit, nor once {@value #ENOUGH} wait. After J.
 * Nagle's algorithm for small packets (RFC 896). Not thread-safe.
 */
@Machine
final class Coalescing {
  /** Number of messages to one mailbox that are worth a segment of their own. */
  static final int ENOUGH = 100;

  private final Map<ActorPath, Deque<PendingUnit>> waiting = new HashMap<>();
  private int size;

  /**
   * Takes a unit.
   *
   * @param isUnderWay whether a commit to that mailbox is under way
   * @return the units to go on now: the unit itself, if it need not wait; none; or, if they are
   *     enough for a segment, all that waited with it
   */
  Collection<PendingUnit> take(PendingUnit pendingUnit, Predicate<ActorPath> isUnderWay) {
    CommitUnit unit = pendingUnit.unit();
    if (!unit.isFromOutside()) {
      return List.of(pendingUnit);
    } else if (unit.outgoing().size() != 1) {
      List<PendingUnit> inOrder = new ArrayList<>();
      unit.outgoing().keySet().forEach(receiver -> inOrder.addAll(release(receiver)));
      inOrder.add(pendingUnit);
      return inOrder;
    }
    ActorPath receiver = unit.outgoing().keySet().iterator().next();
    if (!isUnderWay.test(receiver)) {
      return List.of(pendingUnit);
    }
    Deque<PendingUnit> gathered = waiting.computeIfAbsent(receiver, to -> new ArrayDeque<>());
    gathered.addLast(pendingUnit);
    size++;
    return gathered.size() < ENOUGH ? List.of() : release(receiver);
  }

  /** Removes the units waiting for that mailbox, in order. */
  Collection<PendingUnit> release(ActorPath receiver) {
    Deque<PendingUnit> released = waiting.isEmpty() ? null : waiting.remove(receiver);
    if (released == null) {
      return List.of();
    }
    size -= released.size();
    return released;
  }

  /** Removes all waiting units, in order for each mailbox. */
  List<PendingUnit> releaseAll() {
    List<PendingUnit> all = new ArrayList<>(size);
    waiting.values().forEach(all::addAll);
    waiting.clear();
    size = 0;
    return all;
  }

  int size() {
    return size;
  }
}
