package io.callboard.internal.messaging;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.eventbus.EventBusEndpoints;
import io.callboard.internal.link.IncomingMessage;
import io.callboard.internal.link.LocalEndpoint;
import io.callboard.internal.link.MessageKind;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Reply;
import io.callboard.supervision.Causes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Receiver of messages from other nodes: decodes them and delivers them to the actors, asks and
 * watches of this one. Thread-safe.
 */
public final class RemoteReceiver implements LocalEndpoint {
  private final NodeContext node;
  private final RemoteMessaging answers;
  private final EventBusEndpoints bus;
  private final PendingAsks asks;
  private final DeathWatch deathWatch;
  private final Pushes pushes;

  /** Receiver of mail that other nodes push for this node's actors. */
  public interface Pushes {
    /**
     * Takes a push.
     *
     * @return why it is refused; null if it is taken
     */
    @Nullable CallboardException arrived(IncomingMessage push, String boot);
  }

  /**
   * @param answers sends answers to the node that asked
   */
  public RemoteReceiver(
      NodeContext node,
      RemoteMessaging answers,
      EventBusEndpoints bus,
      PendingAsks asks,
      DeathWatch deathWatch,
      Pushes pushes) {
    this.node = node;
    this.answers = answers;
    this.bus = bus;
    this.asks = asks;
    this.deathWatch = deathWatch;
    this.pushes = pushes;
  }

  @Override
  public @Nullable CallboardException deliver(IncomingMessage message, String boot) {
    ActorPath to = message.to();
    if (to != null
        && message.kind() == MessageKind.ASK
        && message.type().name().equals(RemoteMessaging.WATCH)) {
      Reply end = answers.replyTo(boot, message.number());
      return deathWatch.watched(to, boot, message.number(), end); // one that stops, too
    }
    EventBusEndpoints.Endpoint<?> endpoint = to == null ? null : bus.find(to);
    if (to == null || endpoint == null || endpoint.actor().durable()) {
      return new CallboardException(Code.NO_SUCH_ACTOR, "no actor " + to + " runs there");
    }
    Object decoded;
    try {
      decoded =
          endpoint
              .codec()
              .decode(message.type(), message.frame(), message.offset(), message.length());
    } catch (CodecException e) {
      return new CallboardException(Code.BAD_MESSAGE, Causes.message(e), e);
    }
    MessageHeaders headers = MessageHeaders.read(message.from());
    Reply reply =
        message.kind() == MessageKind.ASK
            ? answers.replyTo(boot, message.number())
            : asks.replyTo(headers.replyTo());
    long deadline = headers.deadlineNanos(node.nanoTime());
    Throwable failure =
        endpoint
            .sink()
            .deliver(
                new Delivery(decoded, reply, deadline, null, headers.trace(), headers.attemptOf()),
                headers.priority())
            .cause();
    return failure == null ? null : failure(failure);
  }

  private static CallboardException failure(Throwable cause) {
    return cause instanceof CallboardException own
        ? own
        : new CallboardException(
            Code.HANDLER_FAILED, Causes.message(cause), Causes.readable(cause));
  }

  @Override
  public @Nullable CallboardException pushed(IncomingMessage push, String boot) {
    return pushes.arrived(push, boot);
  }

  @Override
  public void answered(IncomingMessage answer) {
    int end = answer.offset() + answer.length();
    byte[] body = Arrays.copyOfRange(answer.frame(), answer.offset(), end);
    asks.answered(answer.number(), answer.type(), body);
  }

  @Override
  public void failed(long number, Code code, String text) {
    asks.failed(number, new CallboardException(code, text));
  }
}
