/** The actors of the job scheduler: jobs, gate, monitors and archivist. */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.actor;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
