package io.callboard.jobs.actor;

import io.callboard.jobs.protocol.JobData;
import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remainder of a job that was deleted or let go, kept until its hosts have deleted the files of its
 * runs and for as long as an idempotency key may name it, so that a repeated submission does not
 * run it again.
 *
 * @param at time of the deletion
 * @param until time until which it is kept at least
 * @param hosts names of hosts that are to delete the files of its runs
 * @param letGo last version of the job, if its record was let go; null if the job was deleted
 */
@Machine
public record Tombstone(Instant at, Instant until, List<String> hosts, @Nullable Long letGo) {
  /** Maximum time for which it is kept; a host that is away for longer keeps the files. */
  static final Duration LONGEST = Duration.ofDays(30);

  /** Margin beyond the time of a key, for clocks that differ. */
  private static final Duration SLACK = Duration.ofHours(1);

  /** Copies the list. */
  public Tombstone {
    hosts = List.copyOf(hosts);
  }

  /**
   * Returns the tombstone of a job; a job with a unique key may be named by an idempotency key at
   * any age.
   */
  static Tombstone of(JobData job, Instant at) {
    Instant named = job.spec().uniqueKey() == null ? job.createdAt() : at;
    return new Tombstone(at, named.plus(JobKey.KEPT).plus(SLACK), job.hosts(), null);
  }

  /** Returns the tombstone of a job whose record goes, while its hosts keep the files. */
  static Tombstone letGo(JobData job, Instant at) {
    return new Tombstone(at, of(job, at).until(), List.of(), job.version());
  }

  /** Returns the tombstone without a host that has deleted the files. */
  Tombstone freed(String host) {
    return new Tombstone(
        at, until, hosts.stream().filter(each -> !each.equals(host)).toList(), letGo);
  }

  /** Returns whether the tombstone may be removed. */
  public boolean isOver(Instant now) {
    return (hosts.isEmpty() && !now.isBefore(until)) || !now.isBefore(at.plus(LONGEST));
  }
}
