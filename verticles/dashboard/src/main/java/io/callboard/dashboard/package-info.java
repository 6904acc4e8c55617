/** REST, WebSocket and the page: reads models, and acts by sending messages. */
@NullMarked
package io.callboard.dashboard;

import org.jspecify.annotations.NullMarked;
