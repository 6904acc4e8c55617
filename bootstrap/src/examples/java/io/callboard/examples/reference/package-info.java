/**
 * The examples of {@code bootstrap/docs/actors.md}, compiled: what stands there stands here, and a
 * test compares. One actor for each chapter.
 */
@NullMarked
package io.callboard.examples.reference;

import org.jspecify.annotations.NullMarked;
