/** Configuration of a node: files, environment and options, their order and their errors. */
@NullMarked
@CheckReturnValue
package io.callboard.bootstrap.config;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
