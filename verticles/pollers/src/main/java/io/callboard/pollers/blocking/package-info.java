/** Threads for sources whose systems are reached by calls that block: files, databases. */
@NullMarked
@CheckReturnValue
package io.callboard.pollers.blocking;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
