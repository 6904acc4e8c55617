/** The session of a node: its incarnation, its renewal after an unknown outcome, its commits. */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.session;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
