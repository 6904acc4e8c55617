package io.callboard.jobs.actor;

import io.callboard.jobs.protocol.JobData;
import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Remainder of a deleted job: until its hosts have deleted the files of its runs, and as long as an
 * idempotency key may name it, so that a repeated submission does not run it again.
 *
 * @param at when it was deleted
 * @param until it stays until then at least
 * @param hosts that hold files of its runs
 */
@Machine
public record Tombstone(Instant at, Instant until, List<String> hosts) {
  /** A host that is away for longer keeps the files. */
  static final Duration LONGEST = Duration.ofDays(30);

  /** Beyond the time of a key, for clocks that differ. */
  private static final Duration SLACK = Duration.ofHours(1);

  public Tombstone {
    hosts = List.copyOf(hosts);
  }

  /** Under a unique key a job may be found, and named by an idempotency key, at any age. */
  static Tombstone of(JobData job, Instant at) {
    Instant named = job.spec().uniqueKey() == null ? job.createdAt() : at;
    return new Tombstone(at, named.plus(JobKey.KEPT).plus(SLACK), job.hosts());
  }

  /** That host holds nothing of it any more. */
  Tombstone freed(String host) {
    return new Tombstone(at, until, hosts.stream().filter(each -> !each.equals(host)).toList());
  }

  /** Whether nothing is left of it. */
  public boolean isOver(Instant now) {
    return (hosts.isEmpty() && !now.isBefore(until)) || !now.isBefore(at.plus(LONGEST));
  }
}
