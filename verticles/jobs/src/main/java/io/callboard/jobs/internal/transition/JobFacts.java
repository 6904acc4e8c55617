package io.callboard.jobs.internal.transition;

/**
 * Facts about a message and its job on which the choice of a row depends.
 *
 * @param current whether the message is about the open run or, for a grant or an expiry, the next
 *     one, or about the current version; true for messages about neither
 * @param later whether the job is due at a later time
 * @param succeeded whether the run ended with exit code 0
 * @param retries whether another attempt is left, and in time
 * @param totalElapsed whether the total timeout has passed
 * @param givenUp whether a lost run is the last one: too many were lost in a row, or the job says
 *     so
 * @param holdsWhenLost whether the job is held after a lost run
 * @param suspected whether the job is suspected to have ended its host, so that its next run waits
 * @param tried whether it has used an attempt or lost a run
 * @param started whether the process of the open run is known to have started
 * @param stalled whether the open run is known to make no progress
 */
public record JobFacts(
    boolean current,
    boolean later,
    boolean succeeded,
    boolean retries,
    boolean totalElapsed,
    boolean givenUp,
    boolean holdsWhenLost,
    boolean suspected,
    boolean tried,
    boolean started,
    boolean stalled) {}
