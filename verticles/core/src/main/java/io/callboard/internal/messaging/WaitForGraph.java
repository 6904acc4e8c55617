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
 * Which actors of this node wait in a handler for the answers of which others. When they wait for
 * each other in a ring, nobody could ever answer: the ask that closes the ring fails at once.
 * Thread-safe.
 *
 * <p>Who begins to wait says so before he looks, so of two that close a ring at the same moment at
 * least one sees it. An ask that is forwarded to one actor is waited for from that one. Rings over
 * several nodes, through asks that are answered with {@code replyWhen}, forwarded to several, or by
 * a durable actor to another, are not seen: those asks time out.
 */
public final class WaitForGraph {
  /** Actors of a ring at most. */
  private static final int LONGEST = 64;

  private final Map<ActorPath, List<PendingAsks.Ask<?>>> waiting = new ConcurrentHashMap<>();

  /**
   * The handler of {@code actor} has returned a future that is not complete.
   *
   * @param asks what it asked
   */
  public void begin(ActorPath actor, List<PendingAsks.Ask<?>> asks) {
    waiting.put(actor, asks);
    for (PendingAsks.Ask<?> ask : asks) {
      ask.awaitedBy(actor);
      failIfRing(actor, ask);
    }
  }

  /** Whoever waits for {@code ask} in a handler waits for {@code receiver} from now on. */
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

  /** It waits for those no more. */
  public void end(ActorPath actor, List<PendingAsks.Ask<?>> asks) {
    boolean unused = waiting.remove(actor, asks);
  }

  /**
   * Whether {@code from} waits for {@code to}, directly or over others.
   *
   * @param way those between, in order
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
