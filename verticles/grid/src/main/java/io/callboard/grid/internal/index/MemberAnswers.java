package io.callboard.grid.internal.index;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.time.Machine;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Record of which members of the cell answer for their indexes to the questions of one node. A
 * member is <em>silent</em> if it did not answer, and <em>without an index</em> if it answers that
 * it has none: for a moment while it starts; for longer, as it does not run the program. Such a
 * member owns no partition of the program's space, so no rows are missed. Any thread.
 */
@Machine
public final class MemberAnswers {
  /** Time for which a member that did not answer is not asked again. */
  public static final Duration SILENCE = Duration.ofSeconds(2);

  /** Time of a start: a member that has had no index for longer will have none. */
  public static final Duration STARTING = Duration.ofSeconds(30);

  private final Map<String, Long> silentSinceNs = new HashMap<>();
  private final Map<String, Long> withoutSinceNs = new HashMap<>();

  /** Forgets all but these members. */
  public synchronized void retain(Set<String> members) {
    silentSinceNs.keySet().retainAll(members);
    withoutSinceNs.keySet().retainAll(members);
  }

  /** Returns whether a member did not answer a moment ago, so that it is not asked now. */
  public synchronized boolean isSilent(String member, long nowNs) {
    Long since = silentSinceNs.get(member);
    return since != null && nowNs - since < SILENCE.toNanos();
  }

  /**
   * Returns whether no answer of a member is to be expected soon: the member is silent, or has been
   * without an index for longer than a start takes.
   */
  public synchronized boolean isAway(String member, long nowNs) {
    return isSilent(member, nowNs) || hasNone(member, nowNs);
  }

  /**
   * Returns whether a member answered last that it has no index, so that no rows of it are missing.
   */
  public synchronized boolean isWithout(String member) {
    return withoutSinceNs.containsKey(member);
  }

  private boolean hasNone(String member, long nowNs) {
    Long since = withoutSinceNs.get(member);
    return since != null && nowNs - since >= STARTING.toNanos();
  }

  /** Records an answer. */
  public synchronized void answered(String member) {
    silentSinceNs.remove(member);
    withoutSinceNs.remove(member);
  }

  /**
   * Records that a member did not answer, or that it has no index.
   *
   * @param cause the failure of the question
   */
  public synchronized void failed(String member, Throwable cause, long nowNs) {
    if (hasNoIndex(cause)) {
      silentSinceNs.remove(member);
      withoutSinceNs.putIfAbsent(member, nowNs);
    } else {
      silentSinceNs.put(member, nowNs);
      withoutSinceNs.remove(member); // what it is, it does not say
    }
  }

  private static boolean hasNoIndex(Throwable cause) {
    return cause instanceof CallboardException failure && failure.code() == Code.NO_SUCH_ACTOR;
  }
}
