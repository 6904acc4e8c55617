/** Tests one actor in a node of its own: what it was told, what it did, what it stored. */
@NullMarked
@CheckReturnValue
package io.callboard.testkit.actor;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
