/** Threads for sources whose systems are reached by calls that block: files, databases. */
@NullMarked
@CheckReturnValue
package io.callboard.pollers.internal.blocking;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
