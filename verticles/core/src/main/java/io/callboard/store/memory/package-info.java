/** The store in memory, seeded and faulty on demand: for tests, and for nodes without a cell. */
@NullMarked
@CheckReturnValue
package io.callboard.store.memory;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
