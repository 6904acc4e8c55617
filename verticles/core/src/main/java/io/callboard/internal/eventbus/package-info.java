/**
 * Actors on the event bus of Vert.x: endpoints and codecs for plain Vert.x code.
 *
 * <p>{@link EventBusEndpoints} has one consumer for each actor, at {@code callboard:/&lt;path&gt;};
 * messages come in and answers leave on one context of the node. {@link BusCodecs} registers a
 * codec for each class of a protocol, so that plain code can send it as an object.
 *
 * <p><b>Invariants.</b> What arrives is read by the closed registry of the actor's protocol:
 * nothing on the bus can choose a class. A message that cannot be read fails its sender with {@code
 * BAD_MESSAGE}, and never reaches the actor. Codecs go with the node.
 *
 * <p><b>Failure windows.</b> The event bus promises nothing: a message or an answer may be lost
 * with a connection, and a {@code request} then times out. An application's own codec of a class
 * wins; that is logged.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.eventbus;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
