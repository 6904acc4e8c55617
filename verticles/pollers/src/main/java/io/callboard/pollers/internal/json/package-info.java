/**
 * JSON about messages that others wrote, in the one dialect of {@link io.callboard.codecs.Json}.
 */
@NullMarked
@CheckReturnValue
package io.callboard.pollers.internal.json;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
