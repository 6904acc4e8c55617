/** Messages between the actors of the job scheduler. */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.protocol;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
