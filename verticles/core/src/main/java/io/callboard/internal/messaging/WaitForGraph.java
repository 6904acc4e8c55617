package io.callboard.internal.messaging;

import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Wait-for graph of the asks of this node; an ask that would close a cycle fails at once, for none
 * of its actors could ever answer. After the databases' deadlock detection. Thread-safe.
 *
 * <p>An actor enters the graph before the search for a cycle, so of two asks that close one at the
 * same moment at least one detects it. An ask that is forwarded to one actor waits for that one.
 * Not detected, and ended by their timeouts, are cycles over several nodes and through asks that
 * are answered with {@code replyWhen}, forwarded to several actors, or sent by a durable actor to
 * another.
 */
public final class WaitForGraph {
  /** Limit of the actors of a cycle. */
  private static final int LONGEST = 64;

  private final Map<ActorPath, List<PendingAsks.Ask<?>>> waiting = new ConcurrentHashMap<>();

  /**
   * Enters an actor whose handler has returned a future that is not complete.
   *
   * @param asks the asks of that handler
   */
  public void begin(ActorPath actor, List<PendingAsks.Ask<?>> asks) {
    waiting.put(actor, asks);
    for (PendingAsks.Ask<?> ask : asks) {
      ask.awaitedBy(actor);
      failIfRing(actor, ask);
    }
  }

  /**
   * Records that {@code ask} was forwarded: a handler waiting for it now waits for {@code
   * receiver}.
   */
  public void passedOn(PendingAsks.Ask<?> ask, ActorPath receiver) {
    ask.passedOnTo(receiver);
    ActorPath actor = ask.asker();
    if (actor != null && waiting.getOrDefault(actor, List.of()).contains(ask)) {
      failIfRing(actor, ask);
    }
  }

  private void failIfRing(ActorPath actor, PendingAsks.Ask<?> ask) {
    Set<ActorPath> ring = new LinkedHashSet<>(Set.of(actor));
    if (isOpen(ask) && leads(ask.receiver(), actor, ring)) {
      List<ActorPath> all = new ArrayList<>(ring);
      all.add(actor);
      ask.fail(CallboardException.askCycle(all));
    }
  }

  private static boolean isOpen(PendingAsks.Ask<?> ask) {
    return !ask.isOver() && !ask.isGivenAway();
  }

  /** Removes the asks of an actor that no longer waits for them. */
  public void end(ActorPath actor, List<PendingAsks.Ask<?>> asks) {
    boolean unused = waiting.remove(actor, asks);
  }

  /**
   * Returns whether {@code from} waits for {@code to}, directly or through others.
   *
   * @param way the actors in between, in order
   */
  private boolean leads(ActorPath from, ActorPath to, Set<ActorPath> way) {
    if (from.equals(to)) {
      return true;
    } else if (way.size() >= LONGEST || !way.add(from)) {
      return false;
    }
    for (PendingAsks.Ask<?> ask : waiting.getOrDefault(from, List.of())) {
      if (isOpen(ask) && leads(ask.receiver(), to, way)) {
        return true;
      }
    }
    way.remove(from);
    return false;
  }
}
