/** One run as a process group under its shim. */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.process.run;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
