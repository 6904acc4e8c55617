/**
 * Reading of the archive by the modules that write it: {@link
 * io.callboard.archive.internal.ended.EndedReader} does without a database that is away, and
 * without rows that cannot be read.
 */
@NullMarked
@CheckReturnValue
package io.callboard.archive.internal.ended;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
