/** Reads actors and lists of znodes, within limits of what waits. */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.read;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
