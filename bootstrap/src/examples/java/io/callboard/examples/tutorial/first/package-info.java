/** First step of {@code docs/tutorial.md}: an actor in memory, and its test. */
@NullMarked
@CheckReturnValue
package io.callboard.examples.tutorial.first;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
