/** The embedded ZooKeeper server: configuration, start, purge and outage. */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.server;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
