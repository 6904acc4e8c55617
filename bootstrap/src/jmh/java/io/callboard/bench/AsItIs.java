package io.callboard.bench;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageCodec;

/** The cheapest codec of the event bus: the receiver is given the sender's object. */
final class AsItIs implements MessageCodec<Object, Object> {
  private static final String NAME = "bench.as-it-is";

  private AsItIs() {}

  /** Registers it; to be called once for each bus. */
  static DeliveryOptions on(EventBus bus) {
    bus.registerCodec(new AsItIs());
    return new DeliveryOptions().setLocalOnly(true).setCodecName(NAME);
  }

  @Override
  public void encodeToWire(Buffer buffer, Object message) {
    throw new UnsupportedOperationException("%s stays here".formatted(message));
  }

  @Override
  public Object decodeFromWire(int position, Buffer buffer) {
    throw new UnsupportedOperationException("nothing comes from elsewhere");
  }

  @Override
  public Object transform(Object message) {
    return message;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public byte systemCodecID() {
    return -1;
  }
}
