/** The cluster manager of Vert.x on the session of a cell, and the addresses of actors. */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.cluster;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
