/** Step 5 of {@code docs/tutorial.md}: a role. */
@NullMarked
@CheckReturnValue
package io.callboard.examples.tutorial.role;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
