/**
 * Conditions of steps ({@code when}): a small language over the input of an instance and the
 * outputs of its steps. No scripting: no functions, no loops, no side effects.
 *
 * <pre>
 * condition  := conjunct ("or" conjunct)*
 * conjunct   := negation ("and" negation)*
 * negation   := "not" negation | comparison
 * comparison := value (("==" | "!=" | "&lt;" | "&lt;=" | ">" | ">=") value)? | "(" condition ")"
 * value      := path | 'text' | number | true | false | null
 * path       := "$.input" part* | "$.outputs." step part*
 * part       := "." name | "['" name "']" | "[" index "]"
 * </pre>
 *
 * <p>A path that leads nowhere is {@code null}; so is the output of a step that was skipped or
 * failed. {@code ==} compares any two values, numbers by value; the order comparisons hold only
 * between two numbers or two texts. A value alone holds if it is {@code true}. In a text {@code \'}
 * and {@code \\} stand for a quote and a backslash.
 *
 * <p>{@link io.callboard.workflows.condition.Condition#parse} reports the position of a mistake and
 * what is expected there; a condition that was parsed never fails.
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.condition;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
