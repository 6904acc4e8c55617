/**
 * Group commit: packs units that are ready into commits, keeps them chained, and resolves their
 * outcomes.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.commit;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
