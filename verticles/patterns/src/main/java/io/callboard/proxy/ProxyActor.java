package io.callboard.proxy;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.HeldMessage;
import io.callboard.VolatileContext;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A volatile actor that stands before others: it passes messages on to them and learns when they
 * have finished, holds messages beyond its handler, and answers later.
 *
 * <pre>{@code
 * final class Counting extends ProxyActor<Request> {
 *   private final AtomicInteger running = new AtomicInteger();
 *
 *   @Override protected void protocol(Protocol<Request> on) {
 *     on.others(request -> {
 *       running.incrementAndGet();
 *       forward(worker, request, running::decrementAndGet);
 *     });
 *   }
 * }
 * }</pre>
 *
 * @param <M> the protocol: usually that of the actors behind it
 */
public abstract class ProxyActor<M> extends Actor<M> {
  /**
   * Forwards a message, and reports when the receiver has finished with it. A volatile actor of
   * this node has finished when its handler and the handler's future have completed, or will never
   * run. One of another node, and a durable one, has finished when the message is in its mailbox,
   * or cannot be put there.
   *
   * @param over called once, on any thread; it must not block
   */
  protected final <T> void forward(ActorRef<T> receiver, T message, Runnable over) {
    Objects.requireNonNull(receiver, "receiver is null: give the ref of an actor");
    Objects.requireNonNull(over, "over is null: give a task, or call forward without it");
    volatileContext().forward(receiver, message, over);
  }

  /**
   * Forwards a message to several actors. A future that waits for the answer gets the first
   * outcome, an answer or a failure; an actor that waits for it gets all answers. After the first
   * outcome of a future the ask has ended: receivers that have not begun it skip it, so send a
   * message that all are to handle with tell, not with ask. A proxy that forwarded the message to
   * this one with a callback is called back when the last receiver has finished.
   *
   * @param receivers not empty
   */
  protected final <T> void forwardAll(Collection<? extends ActorRef<T>> receivers, T message) {
    Objects.requireNonNull(receivers, "receivers is null: give the refs of actors");
    volatileContext().forwardAll(receivers, message);
  }

  /**
   * Answers the message being handled when the future completes; other messages are handled
   * meanwhile. If the future fails, the ask fails with its cause; if no sender waits for the
   * answer, the message becomes a dead letter.
   *
   * @throws NullPointerException if the future is null
   */
  protected final void replyWhen(Future<?> answer) {
    require(answer, "replyWhen", "the future of the answer");
    volatileContext().replyWhen(answer);
  }

  /**
   * Holds {@code message}, the one being handled, beyond its handler, together with the sender that
   * waits for its answer: it is handed to other actors, as often as needed. A held message is lost
   * with this process; the actor that holds it must end it, at the latest when it is {@link
   * #stopped}.
   *
   * @throws NullPointerException if there is no message
   * @throws IllegalStateException if no message is being handled, or it is held or stashed already
   */
  protected final HeldMessage<M> hold(M message) {
    require(message, "hold", "the message at hand");
    return volatileContext().hold(message);
  }

  private VolatileContext volatileContext() {
    return (VolatileContext) actorContext();
  }

  private void require(@Nullable Object given, String what, String right) {
    Objects.requireNonNull(
        given, () -> "%s of %s with null: give it %s".formatted(what, path(), right));
  }
}
