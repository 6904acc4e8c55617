/**
 * The launcher: {@link io.callboard.bootstrap.Main} runs a node or one of the operator's commands,
 * {@link io.callboard.bootstrap.CallboardLauncher} is {@code vertx run} with Callboard.
 *
 * <p>A setting comes from the command line, else from the environment, else from the configuration
 * file, else it is the default; one class, {@link io.callboard.bootstrap.config.ConfigSources},
 * decides that. What means nothing is refused by name in all three: {@link
 * io.callboard.bootstrap.config.EnvironmentVariables}, {@link
 * io.callboard.bootstrap.config.ConfFile}, {@link io.callboard.bootstrap.config.LauncherConf} for
 * {@code -conf}. What a user did wrong is a {@link io.callboard.bootstrap.config.StartupFailure}:
 * one line on standard error and an exit code, never a stack trace; the rest of it is in the log
 * file.
 *
 * <p>A node starts in this order and stops in the reverse: lock of the data directory, embedded
 * ZooKeeper, clustered Vert.x, Callboard, job scheduler, HTTP. The order is what makes a {@code
 * kill -9} harmless: the lock tells that the process before is dead, so its name is taken over at
 * once and its processes are swept before new ones start. A node whose embedded ZooKeeper fails (a
 * full disk) kills its runs and waits a second at most for each part that would need ZooKeeper: the
 * next start tells the runs lost, as after a {@code kill -9}.
 */
@NullMarked
@CheckReturnValue
package io.callboard.bootstrap;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
