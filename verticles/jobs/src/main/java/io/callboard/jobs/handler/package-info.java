/**
 * Jobs in Java: the handlers that a program offers on its node, and the runs that they see.
 *
 * <pre>{@code
 * record Report(String customer, int year) {}
 *
 * jobs.handle("report", Report.class, run -> {
 *   run.progress("reading " + run.args().customer());
 *   return Map.of("pages", write(run.args()));
 * });
 * jobs.submit("report", new Report("acme", 2026));
 * }</pre>
 *
 * <p>A handler has a type of its name, which is made when the first node offers it. So its jobs
 * have limits, priorities, retries, timeouts, events and an archive as processes have them.
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.handler;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
