/** Step 6 of {@code docs/tutorial.md}: a failure zone. */
@NullMarked
@CheckReturnValue
package io.callboard.examples.tutorial.zone;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
