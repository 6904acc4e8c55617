/** A bank whose branches crash, and whose books are right at every moment. */
@NullMarked
package io.callboard.examples.bank;

import org.jspecify.annotations.NullMarked;
