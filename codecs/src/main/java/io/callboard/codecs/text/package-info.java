/** Texts from outside: bodies of requests and files, before anything parses them. */
@NullMarked
@CheckReturnValue
package io.callboard.codecs.text;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
