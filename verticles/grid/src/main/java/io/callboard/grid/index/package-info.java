/**
 * What the indexes of a cell have in common, in which each node answers for what it owns: the index
 * of jobs and that of workflow instances.
 */
@NullMarked
@CheckReturnValue
package io.callboard.grid.index;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
