/** Checks a cell for damage, offline or beside running nodes, and says what to do. */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.fsck;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
