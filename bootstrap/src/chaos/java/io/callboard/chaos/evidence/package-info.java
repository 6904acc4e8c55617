/**
 * Evidence of a chaos run that no node reports of itself: what steps of workflows have written, the
 * processes of jobs, and the records of the cell.
 */
@NullMarked
package io.callboard.chaos.evidence;

import org.jspecify.annotations.NullMarked;
