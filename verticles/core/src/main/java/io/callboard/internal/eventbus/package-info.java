/** Actors on the event bus of Vert.x: endpoints and codecs for plain Vert.x code. */
@NullMarked
@CheckReturnValue
package io.callboard.internal.eventbus;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
