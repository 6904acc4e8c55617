/**
 * Operators' commands: a client of a node's REST API, with tables for people and JSON for programs.
 *
 * <p><b>Invariants.</b> A command sends requests to one node and keeps nothing. Standard output
 * holds the answer; errors go to standard error, with an exit code.
 *
 * <p>A beginning of an id means the one id that begins so; where there are several, nothing is
 * done. A log is followed by asking again and again, at most every half second when nothing comes.
 *
 * <p><b>Failure window.</b> The node does not answer in time: the request may have been carried
 * out. The command fails; check the state before a retry.
 */
@NullMarked
@CheckReturnValue
package io.callboard.bootstrap.client;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
