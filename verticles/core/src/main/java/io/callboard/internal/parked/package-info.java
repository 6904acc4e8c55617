/** What operators do with parked messages: list, edit, replay, discard. */
@NullMarked
@CheckReturnValue
package io.callboard.internal.parked;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
