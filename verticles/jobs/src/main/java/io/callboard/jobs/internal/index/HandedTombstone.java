package io.callboard.jobs.internal.index;

import io.callboard.time.Machine;
import java.util.List;

/**
 * Tombstone of an index as the owner of its partition hands it to the next one; see {@link
 * IndexTombstone}.
 *
 * @param id id of the job
 */
@Machine
record HandedTombstone(String id, long expiresMs, long version, List<String> hosts) {
  HandedTombstone {
    hosts = List.copyOf(hosts);
  }
}
