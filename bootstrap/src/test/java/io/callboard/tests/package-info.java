/**
 * The project's own tests as a whole: which are long and when they run, and how long they take. Two
 * programs for {@code .ci} that the JDK runs from their sources, so that neither needs a build.
 */
package io.callboard.tests;
