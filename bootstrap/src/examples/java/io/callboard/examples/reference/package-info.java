/**
 * Compiled examples of {@code bootstrap/docs/actors.md}; a test compares the code there with this
 * package. One actor for each chapter.
 */
@NullMarked
package io.callboard.examples.reference;

import org.jspecify.annotations.NullMarked;
