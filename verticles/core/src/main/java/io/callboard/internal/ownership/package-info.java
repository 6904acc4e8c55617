/**
 * Carries placement out: claims and releases leases, hands partitions over, publishes what this
 * node offers.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.ownership;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
