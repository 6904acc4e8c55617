/** One node put together: opens and closes its parts in order, and answers the API. */
@NullMarked
@CheckReturnValue
package io.callboard.internal.node;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
