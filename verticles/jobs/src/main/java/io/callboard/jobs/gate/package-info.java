/**
 * The gate as a machine: slots of types, fitness of hosts, what is admitted and why the rest waits.
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.gate;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
