/** Who may ask: rules on the Host and Origin of a request, and the headers that bind a browser. */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard.guard;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
