package io.callboard.dashboard.internal.attention;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.Callboard;
import io.callboard.admin.RemoteAdmin;
import io.callboard.store.Member;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The last roll-ups of the members of a cell: a member is asked when somebody looks, no more often
 * than that needs. Thread-safe.
 */
public final class MemberRollUps {
  /** Maximum number of members that are asked. */
  public static final int MOST = 100;

  /** Interval for who watches figures. */
  static final Duration EVERY = Duration.ofMillis(900);

  /** Interval for a node that did not answer, for which nobody waits then. */
  private static final Duration RETRY = Duration.ofSeconds(5);

  private final Callboard callboard;
  private final Clock clock;
  private final Map<String, CachedReading<ObjectNode>> asked = new HashMap<>();

  MemberRollUps(Callboard callboard, Clock clock) {
    this.callboard = callboard;
    this.clock = clock;
  }

  /**
   * Completes with the roll-ups of the first {@value #MOST} wanted members, by their boot ids;
   * never fails.
   *
   * @param members all members; what is kept of others is dropped
   * @param old age at which one is read again
   */
  Future<Map<String, Reading<ObjectNode>>> read(
      List<Member> members, Predicate<Member> wanted, Duration old) {
    Map<String, Future<Reading<ObjectNode>>> readings = new LinkedHashMap<>();
    kept(members, wanted).forEach((boot, kept) -> readings.put(boot, kept.read(old)));
    return Future.join(List.copyOf(readings.values()))
        .map(
            all -> {
              Map<String, Reading<ObjectNode>> rollUps = new HashMap<>();
              readings.forEach((boot, reading) -> rollUps.put(boot, reading.result()));
              return rollUps;
            });
  }

  private Map<String, CachedReading<ObjectNode>> kept(
      List<Member> members, Predicate<Member> wanted) {
    Map<String, CachedReading<ObjectNode>> found = new LinkedHashMap<>();
    synchronized (asked) {
      Set<String> boots = members.stream().map(Member::bootId).collect(Collectors.toSet());
      asked.keySet().retainAll(boots);
      members.stream()
          .filter(wanted)
          .limit(MOST)
          .forEach(
              member -> {
                RemoteAdmin admin = callboard.admin().of(member);
                found.put(
                    member.bootId(),
                    asked.computeIfAbsent(
                        member.bootId(),
                        boot -> new CachedReading<>(EVERY, RETRY, clock, admin::rollUp)));
              });
    }
    return found;
  }
}
