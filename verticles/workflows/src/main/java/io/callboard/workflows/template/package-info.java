/** Templates: JSON that is filled from a message of a source, or from what a step sees. */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.template;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
