/**
 * An application of one's own: an actor, its test, and a {@code main} that starts a node. {@code
 * callboard new} writes a project with these files.
 */
@NullMarked
@CheckReturnValue
package io.callboard.examples.visitors;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
