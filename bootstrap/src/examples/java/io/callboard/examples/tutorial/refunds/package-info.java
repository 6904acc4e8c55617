/** Steps 8 and 9 of {@code docs/tutorial.md}: a REST endpoint with idempotency keys. */
@NullMarked
@CheckReturnValue
package io.callboard.examples.tutorial.refunds;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
