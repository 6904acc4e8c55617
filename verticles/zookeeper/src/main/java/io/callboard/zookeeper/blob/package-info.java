/** The blob log in znodes, for cells without another. */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.blob;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
