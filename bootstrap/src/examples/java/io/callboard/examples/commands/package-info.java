/** The commands that run the examples: {@code callboard demo NAME}. */
@NullMarked
@CheckReturnValue
package io.callboard.examples.commands;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
