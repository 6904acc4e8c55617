/** Files of runs on their host: directories, outcomes, output. */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.process.files;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
