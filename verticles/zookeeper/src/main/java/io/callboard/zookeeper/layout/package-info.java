/** Where everything of a cell is among the znodes, and how it is written there. */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.layout;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
