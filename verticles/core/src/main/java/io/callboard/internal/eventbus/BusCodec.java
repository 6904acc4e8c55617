package io.callboard.internal.eventbus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/**
 * Codec of an actor's messages and answers on the event bus when plain Vert.x code sends or gets
 * them as objects: within the process by reference; to another node as the JSON object that {@link
 * EventBusEndpoints} takes.
 */
final class BusCodec<M> implements MessageCodec<M, Object> {
  /**
   * Name of the codec of answers; those of messages are found by their class, as Vert.x requires.
   */
  static final String ANSWER = "callboard.answer";

  private final String name;

  BusCodec(String name) {
    this.name = name;
  }

  /**
   * Returns the codec of messages of {@code type}; the name is looked up among codecs, never as a
   * class.
   */
  static <M> BusCodec<M> of(Class<M> type) {
    return new BusCodec<>("callboard." + type.getName());
  }

  @Override
  public void encodeToWire(Buffer buffer, M message) {
    JsonNode tree = Json.tree(message);
    if (tree instanceof ObjectNode object) {
      MessageType type = MessageType.of(message.getClass());
      object
          .put(EventBusEndpoints.TYPE, type.name())
          .put(EventBusEndpoints.VERSION, type.version());
    }
    byte[] bytes = Json.uncheckedBytes(tree);
    buffer.appendInt(bytes.length).appendBytes(bytes);
  }

  /**
   * @throws CodecException if it is not JSON of the stated length
   */
  @Override
  public Object decodeFromWire(int position, Buffer buffer) {
    int from = position + Integer.BYTES;
    int length = buffer.getInt(position);
    boolean there = length >= 0 && length <= buffer.length() - from;
    byte[] bytes = there ? buffer.getBytes(from, from + length) : new byte[0];
    return plain(Json.parse("a message on the event bus", bytes));
  }

  /** Converts JSON to the types of Vert.x. */
  static Object plain(JsonNode tree) {
    if (tree.isObject()) {
      return new JsonObject(tree.toString());
    } else if (tree.isArray()) {
      return new JsonArray(tree.toString());
    } else if (tree.isTextual()) {
      return tree.textValue();
    } else if (tree.isBoolean()) {
      return tree.booleanValue();
    } else if (tree.isIntegralNumber() && tree.canConvertToLong()) {
      return tree.longValue();
    }
    return tree.doubleValue();
  }

  @Override
  public Object transform(M message) {
    return message;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public byte systemCodecID() {
    return -1;
  }
}
