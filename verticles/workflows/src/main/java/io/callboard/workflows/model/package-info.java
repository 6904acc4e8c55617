/**
 * Values of the workflow engine that its users see: instances and their steps, events, reasons,
 * queries, options, refusals. Immutable, without I/O.
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.model;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
