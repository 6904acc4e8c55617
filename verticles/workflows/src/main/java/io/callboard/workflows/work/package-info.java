/** Work pulling. */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.work;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
