/** For operators: records of what runs and how it does, counts and metrics. */
@NullMarked
@CheckReturnValue
package io.callboard.admin;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
