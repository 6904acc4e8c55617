package io.callboard.pollers.internal.actor;

import io.callboard.Actor;
import io.callboard.Protocol;
import io.callboard.pollers.internal.protocol.EmitCommand;
import io.callboard.pollers.source.EmissionRefusedException;
import io.callboard.pollers.source.EmittedMessage;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Base64;
import java.util.function.BiFunction;

/** Actor that sends messages through a source, one after the other. Volatile. */
final class EmitActor extends Actor<EmitCommand> {
  private final BiFunction<String, EmittedMessage, Future<Void>> send;

  /**
   * Creates the actor.
   *
   * @param send sends a message to a queue; may be called on any thread
   */
  EmitActor(BiFunction<String, EmittedMessage, Future<Void>> send) {
    this.send = send;
  }

  @Override
  protected void protocol(Protocol<EmitCommand> on) {
    on.async(EmitCommand.class, this::emit);
  }

  private Future<Void> emit(EmitCommand command) {
    Buffer body = Buffer.buffer(Base64.getDecoder().decode(command.body()));
    EmittedMessage message = new EmittedMessage(command.id(), body, command.headers());
    return inTurn(send.apply(command.target(), message).map(v -> "").recover(EmitActor::refusal))
        .onSuccess(why -> reply(new EmitCommand.Sent(command.id(), why.isEmpty() ? null : why)))
        .mapEmpty();
  }

  private static Future<String> refusal(Throwable cause) {
    return cause instanceof EmissionRefusedException
        ? Future.succeededFuture(String.valueOf(cause.getMessage()))
        : Future.failedFuture(cause);
  }
}
