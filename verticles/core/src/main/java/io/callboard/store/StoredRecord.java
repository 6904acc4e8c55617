package io.callboard.store;

/**
 * An actor's record with the version to commit against.
 *
 * @param version of the store, chained by commits
 */
public record StoredRecord(ActorRecord record, int version) {}
