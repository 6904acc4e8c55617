/**
 * Judge of the runs of jobs in a chaos run, without I/O: lines that the processes wrote, sightings
 * in {@code /proc} and the states of the jobs in, violations out. {@link
 * io.callboard.chaos.runs.JobKind} has the scripts that write those lines.
 */
@NullMarked
package io.callboard.chaos.runs;

import org.jspecify.annotations.NullMarked;
