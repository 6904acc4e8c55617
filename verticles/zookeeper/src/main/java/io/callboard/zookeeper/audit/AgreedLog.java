package io.callboard.zookeeper.audit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the members of an ensemble agreed on, merged from the logs of all of them, as a stream.
 *
 * <p>A member that was away may be sent a snapshot instead of what it missed, so its own log may
 * have a gap. What was agreed on is in the logs of most of them, or is followed by more in one:
 * what was not agreed on is cut off before a member goes on. (A transaction that was logged by a
 * minority, and is the last of each of them, is left out: nobody was told that it was applied.)
 */
final class AgreedLog {
  private final List<? extends MemberLog> members;

  /**
   * @param one as one member has it
   * @param others as members have it who do not agree; empty if the logs are sound
   */
  record Agreed(Transaction one, List<Transaction> others) {}

  AgreedLog(List<? extends MemberLog> members) {
    this.members = members;
  }

  /** Empty when all logs have ended. */
  Optional<Agreed> next() throws IOException {
    while (members.stream().anyMatch(MemberLog::has)) {
      Optional<Agreed> agreed = oldest();
      if (agreed.isPresent()) {
        return agreed;
      }
    }
    return Optional.empty();
  }

  /** The oldest that any of them has; empty if it was not agreed on. */
  private Optional<Agreed> oldest() throws IOException {
    long zxid =
        members.stream().filter(MemberLog::has).mapToLong(MemberLog::zxid).min().orElseThrow();
    List<Transaction> same = new ArrayList<>();
    boolean goesOn = false;
    for (MemberLog member : members) {
      if (member.has() && member.zxid() == zxid) {
        same.add(member.take());
        goesOn |= member.has();
        if (member.has() && member.zxid() <= zxid) {
          throw new IOException("%s goes back to 0x%x".formatted(member, member.zxid()));
        }
      }
    }
    if (same.size() <= members.size() / 2 && !goesOn) {
      return Optional.empty();
    }
    Transaction one = same.get(0);
    List<Transaction> others = same.stream().filter(other -> !other.equals(one)).toList();
    return Optional.of(new Agreed(one, others));
  }
}
