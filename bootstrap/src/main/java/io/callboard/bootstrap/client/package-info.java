/**
 * Operators' commands: a client of a node's REST API, with tables for people and JSON for programs.
 *
 * <p><b>Invariants.</b> A command is requests to one node and keeps nothing. What it prints on
 * standard output is the answer; errors go to standard error, with an exit code.
 *
 * <p><b>Failure window.</b> The node does not answer in time: what was asked for may be done. The
 * command fails, and the state is to be looked at again.
 */
@NullMarked
@CheckReturnValue
package io.callboard.bootstrap.client;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
