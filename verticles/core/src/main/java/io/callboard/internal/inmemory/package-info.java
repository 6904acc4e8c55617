/**
 * Runs a volatile actor over all its lives; the stash, and messages that are held beyond their
 * handler.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.inmemory;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
