/**
 * Threads of scheduling zones for code of the application, whoever calls it: handlers of jobs,
 * handlers of steps, builders. {@link io.callboard.grid.internal.thread.ThreadWait} decides once
 * whether a call begins or is given back.
 */
@NullMarked
@CheckReturnValue
package io.callboard.grid.internal.thread;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
