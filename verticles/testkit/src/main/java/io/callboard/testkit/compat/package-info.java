/**
 * Guards of compatibility: whether data that was stored or sent stays readable when the code
 * changes.
 *
 * <p>{@link io.callboard.testkit.compat.ProtocolLock} compares the JSON form of each protocol with
 * a lock file in the repository; {@link io.callboard.testkit.compat.GoldenEvents} replays events as
 * they were stored by earlier versions and compares the state that they lead to. The one sees what
 * a change does to the form, the other what it does to the meaning.
 *
 * <p><b>Protocol.</b> A difference that breaks readers fails the test for good, unless a version
 * and its upcaster come with it; any other difference fails it until the file is rewritten ({@code
 * -Dcallboard.lock=update}, {@code -Dcallboard.golden=update}), so that reviewers see it.
 *
 * <p><b>Invariants.</b> A golden file is never deleted by an update; every event type of today is
 * in one of them.
 *
 * <p><b>Not seen.</b> How a class treats a value: a narrower check in a constructor, another format
 * of a {@code @JsonValue}.
 */
@NullMarked
@CheckReturnValue
package io.callboard.testkit.compat;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
