/** A Java method that runs as a job, as {@code docs/guides/jobs.md} shows it. */
@NullMarked
@CheckReturnValue
package io.callboard.examples.reports;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
