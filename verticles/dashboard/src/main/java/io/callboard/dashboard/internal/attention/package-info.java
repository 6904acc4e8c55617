/**
 * Rules that say what is wrong now in a cell, as far as one node sees it.
 *
 * <p>{@code Attention} reads facts, each of them at its own interval and only when asked, and keeps
 * the last reading of each. The rules are functions without I/O: they take the facts and the time,
 * and return what is wrong. A fact that cannot be read is itself something wrong, never a reason to
 * say that all is well.
 *
 * <p>Size: a file for each kind of trouble and for each fact, most below 60 lines; all are parts of
 * one answer.
 */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard.internal.attention;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
