/** Values of the job scheduler: jobs, types, runs, hosts and what became of them. */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.model;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
