/**
 * Fields of what people configure: options, files, definitions. One reader names every mistake with
 * its JSON pointer and with what would be right, and refuses fields that it does not know.
 */
@NullMarked
@CheckReturnValue
package io.callboard.codecs.fields;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
