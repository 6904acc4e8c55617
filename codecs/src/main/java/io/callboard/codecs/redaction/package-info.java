/**
 * Redaction of messages for people: components of records that are marked as sensitive ({@link
 * io.callboard.codecs.redaction.Sensitive}), found in the JSON of a message by the classes that
 * have its logical name ({@link io.callboard.codecs.redaction.Sensitivity}).
 *
 * <p>What is stored and sent is whole; whoever shows it masks it. The classes are those that this
 * JVM knows ({@link io.callboard.codecs.MessageType#classes}), so for a message of which it knows
 * none nothing is known to be sensitive, and whoever shows it has nothing but names to go by. Where
 * it is not certain which part of the JSON a component is, more is masked rather than less: a field
 * that the class does not have, and in a message of another version than the class's, all.
 */
@NullMarked
@CheckReturnValue
package io.callboard.codecs.redaction;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
