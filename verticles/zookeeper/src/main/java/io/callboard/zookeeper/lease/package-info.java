/** Leases of partitions by compare-and-set, members, and what others publish. */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.lease;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
