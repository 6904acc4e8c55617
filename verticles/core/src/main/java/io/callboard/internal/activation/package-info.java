/**
 * Which durable actors are in memory on this node: activated by mail, swept, passivated, disowned.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.activation;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
