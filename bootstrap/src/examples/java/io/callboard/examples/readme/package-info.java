/** The actor of the README, compiled. */
@NullMarked
package io.callboard.examples.readme;

import org.jspecify.annotations.NullMarked;
