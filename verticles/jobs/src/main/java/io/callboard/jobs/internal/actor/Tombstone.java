package io.callboard.jobs.internal.actor;

import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remainder of a job that was deleted, or whose record the retention has removed: kept until its
 * hosts have deleted the files of its runs and the archiver its row, and for as long as an
 * idempotency key may name the job, so that a repeated submission does not run it again.
 *
 * @param at time of the deletion
 * @param until time until which it is kept at least
 * @param hosts names of hosts that are to delete the files of its runs
 * @param letGo last version of the job, if its record was let go; null if the job was deleted
 * @param hasRow whether the database may have a row of the deleted job, which would show it again
 *     without the tombstone; null for no
 */
@Machine
public record Tombstone(
    Instant at, Instant until, List<String> hosts, @Nullable Long letGo, @Nullable Boolean hasRow) {
  /** Maximum time for which it is kept; a host that is away for longer keeps the files. */
  static final Duration LONGEST = Duration.ofDays(30);

  /** Margin beyond the time of a key, for clocks that differ. */
  private static final Duration SLACK = Duration.ofHours(1);

  /** Copies the list. */
  public Tombstone {
    hosts = List.copyOf(hosts);
  }

  /**
   * Returns the tombstone of a job. An idempotency key names it until {@link JobKey#KEPT} after its
   * end, or after the last one that has found it by its unique key.
   */
  static Tombstone of(JobData job, Instant at, boolean hasRow) {
    Instant ended = job.endedAt();
    Instant named = ended == null || job.spec().uniqueKey() != null ? at : ended;
    return new Tombstone(
        at, named.plus(JobKey.KEPT).plus(SLACK), job.hosts(), null, hasRow ? true : null);
  }

  /** Returns the tombstone of a job whose record is removed, while its hosts keep the files. */
  static Tombstone letGo(JobData job, Instant at) {
    return new Tombstone(at, of(job, at, false).until(), List.of(), job.version(), null);
  }

  /** Returns the tombstone without a host that has deleted the files. */
  Tombstone freed(String host) {
    return new Tombstone(
        at, until, hosts.stream().filter(each -> !each.equals(host)).toList(), letGo, hasRow);
  }

  /** Returns the tombstone without a row in the database. */
  Tombstone rowGone() {
    return new Tombstone(at, until, hosts, letGo, null);
  }

  /** Returns whether the database may have a row of the job. */
  public boolean mayHaveRow() {
    return Boolean.TRUE.equals(hasRow);
  }

  /** Returns the time from which the tombstone may be removed. */
  public Instant over() {
    Instant longest = at.plus(LONGEST);
    return hosts.isEmpty() && !mayHaveRow() && until.isBefore(longest) ? until : longest;
  }

  /** Returns whether the tombstone may be removed. */
  public boolean isOver(Instant now) {
    return !now.isBefore(over());
  }
}
