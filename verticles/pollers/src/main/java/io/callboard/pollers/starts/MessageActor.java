package io.callboard.pollers.starts;

import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.RawMessage;
import io.callboard.codecs.text.Digest;
import io.callboard.pollers.protocol.TellCommand;
import io.callboard.pollers.protocol.TellCommand.Told;
import java.time.Duration;

/**
 * Durable actor of one message that is told to another actor: so it is told once, however often its
 * source delivers it within {@link #KEPT}.
 */
public final class MessageActor extends DurableStateActor<TellCommand, Told> {
  /** Path prefix of these actors. */
  public static final String PREFIX = "/sources/m";

  /** Time for which it is known that a message was told. */
  public static final Duration KEPT = Duration.ofHours(24);

  /** Returns the path for a key of any length and content. */
  static String path(String key) {
    return PREFIX + "/" + Digest.of(key);
  }

  @Override
  protected Told initial() {
    return new Told(null, null);
  }

  @Override
  protected void protocol(Protocol<TellCommand> on) {
    on.message(TellCommand.TellOnce.class, this::tellOnce)
        .message(TellCommand.Forget.class, forget -> deleteSelf());
  }

  private void tellOnce(TellCommand.TellOnce message) {
    if (state().at() == null) {
      tell(
          callboard().durableRef(message.path(), RawMessage.class),
          new RawMessage(new MessageType(message.type(), 1), Json.bytes(message.message())));
      update(new Told(time().clock().instant(), message.digest()));
      startDurableTimer("forget", KEPT, new TellCommand.Forget());
    }
    reply(state());
  }
}
