/**
 * Reading of the archive by the modules that write it: {@link
 * io.callboard.archive.internal.EndedReader} does without a database that is away, and without rows
 * that cannot be read.
 */
@NullMarked
@CheckReturnValue
package io.callboard.archive.internal;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
