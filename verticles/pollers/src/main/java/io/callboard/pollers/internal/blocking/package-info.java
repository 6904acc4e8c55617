/**
 * Threads for sources whose clients block, such as those of files and databases, and the list of
 * messages that such a source has taken but cannot deliver.
 */
@NullMarked
@CheckReturnValue
package io.callboard.pollers.internal.blocking;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
