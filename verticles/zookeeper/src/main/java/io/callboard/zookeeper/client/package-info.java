/** The plain ZooKeeper client behind futures: handle, requests, liveness of the session, errors. */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.client;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
