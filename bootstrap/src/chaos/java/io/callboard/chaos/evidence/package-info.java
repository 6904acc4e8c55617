/**
 * What a chaos run is judged by and no node says of itself: what steps of workflows have written,
 * the processes of jobs, and the records of the cell.
 */
@NullMarked
package io.callboard.chaos.evidence;

import org.jspecify.annotations.NullMarked;
