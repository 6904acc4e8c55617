/**
 * Keys under which a thing is done once, however often and by whomever it is asked for: keys of
 * jobs, of workflow instances, of messages. {@link io.callboard.grid.internal.key.DurableKey}
 * decides who holds one; its messages and states are those of the modules, whose stored forms
 * differ and stay.
 */
@NullMarked
@CheckReturnValue
package io.callboard.grid.internal.key;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
