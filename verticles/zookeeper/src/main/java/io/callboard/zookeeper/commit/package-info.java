/** One commit as one multi: its requests, its outcome, and the store that sends it. */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.commit;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
