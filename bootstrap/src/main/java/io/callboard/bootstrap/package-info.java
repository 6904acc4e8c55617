/**
 * The launcher: {@link io.callboard.bootstrap.Main} runs a node or one of the operator's commands,
 * {@link io.callboard.bootstrap.CallboardLauncher} is {@code vertx run} with Callboard.
 *
 * <p>Settings and their errors are in {@code io.callboard.bootstrap.config}, the commands that talk
 * to a node in {@code io.callboard.bootstrap.client}. These load nothing of a node, to start soon;
 * {@code TrainingRun} runs them for the archive of their classes. What a node consists of below its
 * jobs and HTTP is {@link io.callboard.node.CallboardNode}.
 *
 * <h2>Protocol</h2>
 *
 * <p>A node starts in this order and stops in the reverse: lock of the data directory, embedded
 * ZooKeeper, clustered Vert.x, archive, Callboard and grid, job scheduler, HTTP. The order is what
 * makes a {@code kill -9} harmless: the lock proves that the process before is dead, so its name is
 * taken over at once and its processes are swept before new ones start.
 *
 * <h2>Invariants</h2>
 *
 * <p>A user's mistake is one line on standard error and an exit code ({@link
 * io.callboard.bootstrap.config.StartupFailure}), never a stack trace; the details are in the log
 * file.
 *
 * <h2>Failure windows</h2>
 *
 * <p>The embedded ZooKeeper fails (a full disk): the node kills its runs and waits a second at most
 * for each part that would need ZooKeeper; the next start reports the runs lost, as after a {@code
 * kill -9}.
 */
@NullMarked
@CheckReturnValue
package io.callboard.bootstrap;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
