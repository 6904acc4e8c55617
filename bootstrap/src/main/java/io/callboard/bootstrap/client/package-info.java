/**
 * The operator's commands: a client of a node's REST API, with tables for people and JSON for
 * programs.
 */
@NullMarked
@CheckReturnValue
package io.callboard.bootstrap.client;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
