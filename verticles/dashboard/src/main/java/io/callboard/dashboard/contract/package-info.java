/**
 * The REST contract, {@code openapi.json}: what drives the router and checks every request against
 * it.
 */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard.contract;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
