/**
 * Directory as a source: each file that comes into it is a message.
 *
 * <h2>Design</h2>
 *
 * <p>All that is known about a file is where it is and what the directory around it is called;
 * every change is one rename, which the file system does entirely or not at all, and for one client
 * alone. So several nodes share a directory of a shared file system without any other coordination,
 * and a crash at any moment leaves a file in exactly one place. Within the polled directory:
 *
 * <pre>
 * .callboard/format                                                   version of this layout
 * .callboard/taken/{client}-{n}.{deliveries}.{lease}.{extensions}/    file that a client has
 * .callboard/waiting/{due}.{deliveries}.{client}-{n}/                 file that was given back
 * .callboard/ended/{client}-{n}/                                      completed, about to be deleted
 * .callboard/done/{client}-{n}/                                       completed, with done: keep
 * .callboard/dead/{client}-{n}/                                       set aside; .cause says why
 * </pre>
 *
 * <p>Each of these directories has one file, under the path that it had. What was given back waits
 * there instead of in its old place, where meanwhile there may be another file of that name.
 *
 * <h2>Leases without clocks</h2>
 *
 * <p>To extend a lease, its client renames the directory, so that it counts one extension more. Any
 * client, also the one that has the file, may take it over when it has seen the same name for as
 * long as the lease that it names, by its own monotonic clock; it does so by a rename of just that
 * name. So either the extension wins or the other client, never both, and clocks need not agree.
 * Only the delay of what failed goes by the wall clock.
 *
 * <h2>Half-written files</h2>
 *
 * <p>Files whose names begin with a dot are not looked at: write there, then rename. Others are
 * taken once neither size nor modification time has changed for a while ({@code settle}), and are
 * checked again after the rename that takes them. One that has changed by then waits for another
 * {@code settle}, with its size and time beside it in {@code .settling}, and is checked again; so
 * does one whose first client has died, perhaps before it could check it.
 *
 * <h2>Ids</h2>
 *
 * <p>The id is the relative path with a hash of path, size, modification time in nanoseconds, and
 * content: it survives renames, and another file of the same name has another one. A hash of the
 * content alone would make one message of two files with equal content, as two equal orders. The
 * same file copied in again with its old modification time is the same message.
 *
 * <p>A path that the locale of the JVM cannot decode has the text of others, so it would have their
 * id: such a file is not taken. One that a node in another locale has taken is given back, and set
 * aside after five deliveries.
 *
 * <h2>Limits</h2>
 *
 * <p>A poll takes for 3 s at most, of which it lists for 1.5 s. A file that cannot be taken is left
 * alone for 10 s, then for twice as long each time, up to half an hour; the poll fails only if
 * there is no room for any file.
 *
 * <p>Symbolic links are neither taken nor followed, except the polled directory itself.
 */
@NullMarked
@CheckReturnValue
package io.callboard.pollers.internal.file;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
