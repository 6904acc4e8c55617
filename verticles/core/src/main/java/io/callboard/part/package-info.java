/**
 * Parts of a node beside its actors: the job scheduler, the workflow engine, the page, an archive,
 * and those of an application. {@link io.callboard.part.NodePart} says what a part is, {@link
 * io.callboard.part.StartedParts} starts them in order. Launcher, applications and tests put a node
 * together in the same way.
 */
@NullMarked
@CheckReturnValue
package io.callboard.part;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
