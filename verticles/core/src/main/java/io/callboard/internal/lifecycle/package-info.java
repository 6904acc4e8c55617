/**
 * One life of an actor object, volatile or durable: start, context, timers, failures and end.
 *
 * <p>{@link ActorRunner} runs an actor over all its lives; each life is an {@link ActorInstance}:
 * one object and one context. To Vert.x it is a deployment below that of the supervisors, so that
 * everything it deploys ends with it and it ends with the Vert.x, but Vert.x keeps nothing of it
 * ({@link ActorDeployment}). {@link LifeState} has the one start and the one end, {@link
 * ActorStart} and {@link LifeEnd} carry them out within their limits, {@link ChildDeployments} the
 * actor's own deployments, {@link TurnGuard} refuses calls that belong to no open turn (T6 of
 * {@link io.callboard.internal.turn}), {@link ActorHistory} records failures.
 *
 * <h2>Interruptions</h2>
 *
 * <p>An actor may be interrupted for ever by a failure that would be transient for others: a
 * conflict of its record that never ends, or a store that refuses only what is its own. It is no
 * failure, so no limit ends it. {@code Interruptions} count them in {@link ActorHistory}, from the
 * first to the last: in a row, until the actor has handled a message, whatever its lives and states
 * are meanwhile. No timer and no supervisor takes part. They are long once a minute lies between
 * the first and the last one: those of a failover lie close together, though the actor may then
 * wait for hours for its next message. One that comes after the actor has run for a minute begins
 * anew, and so does one after the actor was not to run here. {@link ActorRunner} shows them while
 * the actor starts or waits; while it runs only if mail waits and the last one is a minute old at
 * most, for then it may be at what it is interrupted with; else it runs well, as far as anybody
 * knows.
 *
 * <p>A store that is away for everybody interrupts all actors of a node. The {@link ActorCensus}
 * counts those that stay interrupted, and lists some: how many there are says whether it is
 * something of one actor. Readers list them one by one only while they are few and the store
 * answers. The census forgets an actor that is not interrupted for long, or no longer; the next
 * interruption adds it.
 *
 * <h2>Limits of a life</h2>
 *
 * <ul>
 *   <li>A start has its start timeout; one that waits for a future while its context's thread is
 *       held by something else has 5 s more.
 *   <li>A start that holds its thread is waited for until the actor is stopped or another node owns
 *       it; from then on it counts as an end. So does any other start from that moment: one that
 *       waits for a future is given up as soon as its thread is free, and the outcome of that
 *       future is ignored.
 *   <li>A stop has its stop timeout and 5 s more, and once more its stop timeout if the actor
 *       deployed something. After that the life is left behind, which is logged, what it deployed
 *       is undeployed, and the actor goes on without it.
 *   <li>A handler that holds its thread is reported with its stack once its zone notices, and left
 *       alone (V6). A handler that returns after its turn timeout has failed. A durable turn is
 *       measured by itself; a volatile actor's slice by the readings of the clock that it takes
 *       anyway, so that the messages between two readings (one where handlers are slow, 16 at most)
 *       count together.
 * </ul>
 *
 * <h2>Invariants</h2>
 *
 * <p>V2: a life has one end, the crash's or the stop's; a stop gives up the start under way, and
 * waits for the end of that or the end under way; so do the path, the watchers and the children.
 * V5: a start that ends in a failure leaves nothing that it deployed; one that holds its thread or
 * gets none fails at its timeout, is cleared away when it ends after all, and nothing starts in its
 * place before. V6: of an actor one object at a time starts, lives or ends on a node, until one
 * that does not end is left behind; what was read under a lease is used under no other. V7: a child
 * ends with the life that spawned it. That life is over, as all threads see, before its children
 * are stopped; {@link Parentage} adds a child in one step with a look at that, and the node looks
 * again once the child can be found. So the stop sees the child, or its spawn is refused ({@code
 * STOPPED}); and what the stop forgets is no child of the next life. V1, V3 and V4: {@link
 * io.callboard.internal.inmemory}.
 *
 * <h2>Failure windows</h2>
 *
 * <p>A life that was left behind does not end: its handler goes on beside the next object of its
 * actor. What it would begin there (children, timers, watches) is refused ({@code STOPPED}), and so
 * is what its turn would do after its context was free ({@code TurnGuard}); Vert.x refuses what it
 * would deploy. What it does to the world, and sends through refs, happens. The deployment of the
 * supervisors is undeployed: Vert.x ends every life below it.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.lifecycle;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
