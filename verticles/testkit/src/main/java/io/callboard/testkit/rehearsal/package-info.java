/** Rehearses several actors with faults, by seed. */
@NullMarked
@CheckReturnValue
package io.callboard.testkit.rehearsal;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
