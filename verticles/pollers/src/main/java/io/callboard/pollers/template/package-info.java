/** Templates: JSON that is filled from a message. */
@NullMarked
@CheckReturnValue
package io.callboard.pollers.template;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
