package io.callboard.jobs.model;

/**
 * State of the archivist.
 *
 * @param ended number of ended jobs that have a record in ZooKeeper
 */
public record ArchiveStatus(int ended) {}
