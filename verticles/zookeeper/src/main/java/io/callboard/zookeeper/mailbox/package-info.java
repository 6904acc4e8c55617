/** Mailboxes as znodes: segments, generations, headers and the watches of them. */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.mailbox;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
