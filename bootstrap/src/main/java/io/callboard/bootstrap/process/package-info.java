/**
 * A process of the launcher: the console of its commands, where its log goes, and how it ends. For
 * the commands of the launcher and those of the examples.
 */
@NullMarked
@CheckReturnValue
package io.callboard.bootstrap.process;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
