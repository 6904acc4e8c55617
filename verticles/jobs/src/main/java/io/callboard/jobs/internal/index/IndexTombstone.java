package io.callboard.jobs.internal.index;

import io.callboard.jobs.internal.actor.Tombstone;
import io.callboard.time.Machine;
import java.util.List;

/** Tombstone of a job in the index, in some 100 bytes with its place. */
@Machine
final class IndexTombstone {
  final long expiresMs;

  /** Last version of the job; of a deleted job any version is old. */
  final long version;

  final List<String> hosts;

  /** Whether the archivist has deleted the job's row, if there was one. */
  boolean cleared;

  IndexTombstone(Tombstone tombstone) {
    this.expiresMs = tombstone.over().toEpochMilli();
    this.version = tombstone.letGo() == null ? Long.MAX_VALUE : tombstone.letGo();
    this.hosts = tombstone.hosts();
  }

  IndexTombstone(HandedTombstone handed) {
    this.expiresMs = handed.expiresMs();
    this.version = handed.version();
    this.hosts = handed.hosts();
  }

  /** Returns the tombstone of a job for the next owner of its partition. */
  HandedTombstone handed(JobId id) {
    return new HandedTombstone(id.text(), expiresMs, version, hosts);
  }

  /** Returns whether a user deleted the job; otherwise the retention removed it. */
  boolean isDeleted() {
    return version == Long.MAX_VALUE;
  }
}
