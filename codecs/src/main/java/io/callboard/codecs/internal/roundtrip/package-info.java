/**
 * Parts of the check that a value is read back as it was written: the fields of a class that would
 * be lost, and the first difference of two JSON texts.
 */
@NullMarked
@CheckReturnValue
package io.callboard.codecs.internal.roundtrip;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
