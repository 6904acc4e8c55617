/**
 * Step 10 of {@code docs/tutorial.md}, a whole application in one program: a source of orders, a
 * workflow for each with steps in Java, an actor that adds them up, invoices as jobs, and the page.
 */
@NullMarked
@CheckReturnValue
package io.callboard.examples.tutorial.orders;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
