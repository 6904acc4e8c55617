package io.callboard.pollers.internal.target;

import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.RawMessage;
import io.callboard.codecs.internal.text.Digest;
import io.callboard.grid.internal.key.DurableKey;
import io.callboard.pollers.internal.protocol.TellCommand;
import io.callboard.pollers.internal.protocol.TellCommand.Told;
import org.jspecify.annotations.Nullable;

/**
 * Key of one message that is sent to another actor, so that it is sent once, however often its
 * source delivers it within {@link #KEPT}.
 */
public final class MessageActor extends DurableKey<TellCommand, Told> {
  /** Path prefix of these actors. */
  public static final String PREFIX = "/sources/m";

  /** Returns the path for a key of any length and content. */
  static String path(String key) {
    return PREFIX + "/" + Digest.of(key);
  }

  @Override
  protected Told initial() {
    return new Told(null, null);
  }

  @Override
  protected @Nullable Told holder(TellCommand request) {
    return request instanceof TellCommand.TellOnce message
        ? new Told(time().clock().instant(), message.digest())
        : null;
  }

  @Override
  protected boolean replaces(TellCommand request, Told holder) {
    return request instanceof TellCommand.Forget;
  }

  @Override
  protected void won(TellCommand claim) {
    TellCommand.TellOnce message = (TellCommand.TellOnce) claim; // nothing else makes a holder
    tell(
        callboard().durableRef(message.path(), RawMessage.class),
        new RawMessage(new MessageType(message.type(), 1), Json.bytes(message.message())));
    startDurableTimer("forget", KEPT, new TellCommand.Forget());
  }
}
