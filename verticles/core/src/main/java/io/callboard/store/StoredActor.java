package io.callboard.store;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import java.time.Instant;

/**
 * Stored data of a durable actor, for readers other than its owner.
 *
 * @param waiting segments in its mailbox
 * @param changed when its last turn committed
 */
public record StoredActor(
    ActorPath path, Partition partition, ActorRecord record, long waiting, Instant changed) {}
