/**
 * Configuration of a node: files, environment and options, their order and their errors.
 *
 * <h2>Protocol</h2>
 *
 * <p>A setting comes from the command line, else from the environment, else from the configuration
 * file, else it is the default; {@link io.callboard.bootstrap.config.ConfigSources} alone decides
 * that. Names are the same in all: {@code --http-port}, {@code CALLBOARD_HTTP_PORT}, {@code
 * http-port}.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>A setting that means nothing is refused by name, wherever it stands: {@link
 *       io.callboard.bootstrap.config.EnvironmentVariables}, {@code ConfFile}, {@link
 *       io.callboard.bootstrap.config.LauncherConf}.
 *   <li>A user's mistake is a {@link io.callboard.bootstrap.config.StartupFailure}: one line and an
 *       exit code, never a stack trace.
 *   <li>No secret is an option: others on the machine can read a command line.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.bootstrap.config;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
