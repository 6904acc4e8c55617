/**
 * Hosts of the chaos tool: processes, the network between them, which can be cut, and waiting for
 * what they do.
 */
@NullMarked
package io.callboard.chaos.hosts;

import org.jspecify.annotations.NullMarked;
