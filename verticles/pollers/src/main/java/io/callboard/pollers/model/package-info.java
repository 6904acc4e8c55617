/** Values of the pollers that users see: configurations, views and refusals. */
@NullMarked
@CheckReturnValue
package io.callboard.pollers.model;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
