/**
 * Carries supervision out: the machine of one failure zone, the verticle that drives it, and the
 * root supervisor.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.supervisor;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
