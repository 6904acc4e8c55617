/**
 * What this node publishes about itself in the cell and reads of the others: facts, groups, events
 * of the cell.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.membership;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
