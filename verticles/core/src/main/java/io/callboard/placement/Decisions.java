package io.callboard.placement;

import io.callboard.codecs.Partition;
import io.callboard.store.Lease;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decisions of a node about its partitions at one moment.
 *
 * @param lost owned by others by now
 * @param claims to be tried
 * @param handOvers to be given back once they have come to rest
 * @param releases this node's, and of no use to it
 * @param elsewhere wanted, and owned by others
 * @param unreadable wanted, but no node can own them; each is reported once
 * @param lookAgainNanos when to look again at the latest, from now; absent if nothing is due
 */
public record Decisions(
    List<Partition> lost,
    List<Claim> claims,
    List<Partition> handOvers,
    List<Lease> releases,
    Set<Partition> elsewhere,
    Set<Partition> unreadable,
    Optional<Long> lookAgainNanos) {

  /**
   * A partition to be taken.
   *
   * @param seen its lease; empty if it was never owned
   * @param loss how it came to be without an owner
   */
  public record Claim(Partition partition, Optional<Lease> seen, VacancyReason loss) {
    /** Returns the node that owned it and is gone without having given it back. */
    public Optional<String> lostOwner() {
      return loss == VacancyReason.GIVEN_BACK || loss == VacancyReason.OWN
          ? Optional.empty()
          : seen.map(Lease::owner);
    }
  }
}
