/** Steps 2 to 4 of {@code docs/tutorial.md}: a durable actor, a kill, a second process. */
@NullMarked
@CheckReturnValue
package io.callboard.examples.tutorial.durable;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
