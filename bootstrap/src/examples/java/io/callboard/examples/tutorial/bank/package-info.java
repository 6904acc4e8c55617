/** Step 7 of {@code docs/tutorial.md}: a guard before an unreliable service. */
@NullMarked
@CheckReturnValue
package io.callboard.examples.tutorial.bank;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
