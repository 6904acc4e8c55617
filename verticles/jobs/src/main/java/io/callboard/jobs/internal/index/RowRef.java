package io.callboard.jobs.internal.index;

import io.callboard.time.Machine;

/**
 * Job of a list, whose record is read where it is shown.
 *
 * @param id id of the job
 * @param version its version in the index
 */
@Machine
public record RowRef(String id, long version) {}
