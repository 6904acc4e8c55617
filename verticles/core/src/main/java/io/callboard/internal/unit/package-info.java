/** What a batch of turns becomes: one unit of work for the group commit. */
@NullMarked
@CheckReturnValue
package io.callboard.internal.unit;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
