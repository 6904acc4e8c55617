/**
 * Targets of messages: an instance of a workflow, a job, or mail of an actor.
 *
 * <p>Each attempt has a key ({@link io.callboard.pollers.internal.target.MessageKey}): the intake
 * of workflows, the scheduler's idempotency keys and {@link
 * io.callboard.pollers.internal.target.MessageActor} make a repeated one the same. They keep keys
 * for 24 hours after the end of an instance or a job, or after the message was told. Until then a
 * source may deliver again without an effect.
 *
 * <p>A message is {@code Begun} when nothing can refuse it any more: the workflow has a definition
 * whose schema its input matches, the builder has said what starts. What is too large for its
 * target is hopeless, and not tried again.
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>A message is delivered again after its keys are forgotten: it is a new one.
 *   <li>The configuration was changed, and a message is delivered again that was begun with the
 *       earlier one: it is the same message, and what it has started goes on as it was begun.
 *   <li>Another message has the id of one whose key is kept: a digest of the body is kept beside
 *       the key, so it is set aside, or refused, with that cause. Headers are not compared.
 *   <li>A message was begun by an older node, which kept no digest: it is not compared.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.pollers.internal.target;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
