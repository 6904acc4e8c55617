/** Contract of a store, as cases that each implementation has to pass. */
@NullMarked
@CheckReturnValue
package io.callboard.testkit.tck;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
