/**
 * Search over ids, paths, names and labels of all that a node knows of, or can ask.
 *
 * <p>{@link io.callboard.dashboard.internal.search.Search} asks each kind of thing by itself, all
 * at once, with a deadline and a limit: one that does not answer delays no other. What was not
 * found because it was not asked, or did not answer, is said.
 */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard.internal.search;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
