/** How a node reaches its ensemble: addresses, root, credentials, ACLs and TLS. */
@NullMarked
@CheckReturnValue
package io.callboard.zookeeper.access;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
