/** Texts from outside: bytes before anything parses them, and names that may be mistyped. */
@NullMarked
@CheckReturnValue
package io.callboard.codecs.internal.text;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
