package io.callboard.audit;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Transactions on which the members of an ensemble agreed, merged from the logs of all of them, as
 * a stream.
 *
 * <p>A transaction in a majority of the logs was agreed on; so was everything before it in its
 * epoch, and everything that one of these members wrote before it without a gap. A transaction in
 * other logs only was not: it was proposed by a leader that was lost, and a member that had it was
 * either sent a snapshot later (its log then keeps the transaction, and continues after a gap) or
 * cut it off. A gap alone proves nothing: a member that was away is sent a snapshot of what it
 * missed.
 */
final class AgreedLog {
  private static final int EPOCH_SHIFT = 32;

  private final List<? extends MemberLog> members;
  private final Map<MemberLog, Long> last = new HashMap<>();
  private final List<Proposed> proposed = new ArrayList<>();
  private final Deque<Agreed> agreed = new ArrayDeque<>();

  /**
   * Transaction that was agreed on.
   *
   * @param one the transaction in one member's log
   * @param others differing versions in other members' logs; empty if the logs are sound
   */
  record Agreed(Transaction one, List<Transaction> others) {}

  /**
   * Transaction written by a minority, of which it is not known yet whether it was agreed on.
   *
   * @param holders members whose logs have had no gap since
   */
  private record Proposed(Agreed what, Set<MemberLog> holders) {}

  AgreedLog(List<? extends MemberLog> members) {
    this.members = members;
  }

  /** Returns the next transaction; empty when all logs have ended. */
  Optional<Agreed> next() throws IOException {
    while (agreed.isEmpty() && members.stream().anyMatch(MemberLog::has)) {
      takeOldest();
    }
    return Optional.ofNullable(agreed.poll());
  }

  private void takeOldest() throws IOException {
    long zxid =
        members.stream().filter(MemberLog::has).mapToLong(MemberLog::zxid).min().orElseThrow();
    List<Transaction> same = new ArrayList<>();
    Set<MemberLog> holders = new HashSet<>();
    for (MemberLog member : members) {
      if (member.has() && member.zxid() == zxid) {
        same.add(member.take());
        holders.add(member);
        wrote(member, zxid);
      }
    }
    Transaction one = same.get(0);
    Agreed what = new Agreed(one, same.stream().filter(other -> !other.equals(one)).toList());
    if (holders.size() > members.size() / 2) {
      decide(zxid, holders);
      agreed.add(what);
    } else {
      proposed.add(new Proposed(what, holders));
    }
  }

  private void wrote(MemberLog member, long zxid) throws IOException {
    if (member.has() && member.zxid() <= zxid) {
      throw new IOException("%s goes back to 0x%x".formatted(member, member.zxid()));
    }
    long before = last.getOrDefault(member, zxid - 1);
    boolean firstOfEpoch = epoch(zxid) > epoch(before) && (zxid & 0xffffffffL) <= 1;
    if (zxid != before + 1 && !firstOfEpoch) {
      proposed.forEach(each -> each.holders().remove(member));
    }
    last.put(member, zxid);
  }

  private static long epoch(long zxid) {
    return zxid >>> EPOCH_SHIFT;
  }

  /**
   * Decides on earlier proposals once a majority has a later transaction: they are part of its
   * past, or dropped.
   */
  private void decide(long zxid, Set<MemberLog> most) {
    for (Proposed each : proposed) {
      boolean sameEpoch = epoch(each.what().one().zxid()) == epoch(zxid);
      if (sameEpoch || each.holders().stream().anyMatch(most::contains)) {
        agreed.add(each.what());
      }
    }
    proposed.clear();
  }
}
