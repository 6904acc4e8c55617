/**
 * Background tasks of a node: what a program does beside its actors, again and again or later. They
 * have an event loop context of their own, go by the node's time, so that a test moves them by
 * hand, and end with the node.
 *
 * <pre>{@code
 * BackgroundTasks tasks = callboard.tasks("the sweep of expired keys");
 * tasks.repeat(
 *     Repetition.every(Duration.ofMinutes(5)).backoff(Duration.ofHours(1)),
 *     () -> removeExpired().map(removed -> removed == MOST),
 *     failure -> status = failure == null ? "well" : Causes.message(failure));
 * }</pre>
 */
@NullMarked
@CheckReturnValue
package io.callboard.task;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
