/** Ways to embed a node in an application, as {@code docs/embedding.md} shows them. */
@NullMarked
@CheckReturnValue
package io.callboard.examples.embedding;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
