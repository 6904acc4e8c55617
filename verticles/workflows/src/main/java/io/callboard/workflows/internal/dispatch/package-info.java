/**
 * Work pulling as two machines: the desk, which queues runs of steps and assigns them, and the
 * worker, which runs them. No I/O, no clock.
 *
 * <p>{@link io.callboard.workflows.internal.dispatch.WorkMachine} is the desk: {@code DeskRuns} and
 * {@code DeskWorkers} hold what it knows, {@code WorkerNewsReader} takes in what workers report,
 * {@code HeldRule} is the table of what a Hello means, {@code FairShare} and {@code RunLanes}
 * decide what goes next. {@link io.callboard.workflows.internal.dispatch.WorkerMachine} is the
 * worker.
 *
 * <p>A step has one live run at most, a requested run is settled once, and credit is derived, never
 * counted. The messages, all invariants (R1 to L1), failure windows and limits are in {@code
 * bootstrap/docs/design/work-pulling.md}; {@code WorkRehearsal} plays them with faults, and with
 * flaws that must break them.
 *
 * <p>Size: the two machines share their messages and queues; the messages are a file each.
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.internal.dispatch;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
