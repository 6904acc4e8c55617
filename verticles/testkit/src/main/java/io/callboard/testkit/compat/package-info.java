/** Guards what is stored and sent against changes: locked protocols and golden events. */
@NullMarked
@CheckReturnValue
package io.callboard.testkit.compat;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
