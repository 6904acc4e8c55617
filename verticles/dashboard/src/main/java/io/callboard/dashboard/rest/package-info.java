/** The operations of the contract: each reads a model or sends a message, and answers. */
@NullMarked
@CheckReturnValue
package io.callboard.dashboard.rest;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
