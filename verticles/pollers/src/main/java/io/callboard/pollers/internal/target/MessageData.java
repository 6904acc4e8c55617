package io.callboard.pollers.internal.target;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.pollers.internal.poll.Outcome;
import io.callboard.pollers.model.BodyFormat;
import io.callboard.pollers.model.PollersException;
import io.callboard.pollers.source.SourceMessage;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;

/** Data that templates see of a message. */
public final class MessageData {
  /** Bytes of a body above which it is read on a worker thread. */
  private static final int SMALL = 64 << 10;

  /** Most bytes of a body, which is held as a tree while it is read. */
  private static final int MOST_BYTES = 64 << 20;

  private MessageData() {}

  /**
   * Runs work that reads the body of a message: here if the body is small, on a worker thread if it
   * is large. Fails with {@code INVALID}, unread, if it is over its limit.
   *
   * @param work what is done; its exceptions fail the future
   */
  public static <T> Future<T> read(Vertx vertx, SourceMessage message, Callable<T> work) {
    int bytes = message.body().length();
    if (bytes > MOST_BYTES) {
      return Future.failedFuture(
          new PollersException(
              PollersException.Code.INVALID,
              "the body of the message has %,d bytes; the limit is %,d"
                  .formatted(bytes, MOST_BYTES)));
    } else if (bytes > SMALL) {
      return vertx.executeBlocking(work, false);
    }
    try {
      return Future.succeededFuture(work.call());
    } catch (Exception e) {
      return Future.failedFuture(e);
    }
  }

  /**
   * Returns the data of a message: {@code {id, body, headers, source}}.
   *
   * @throws PollersException of code {@code INVALID} if its body cannot be read
   */
  public static ObjectNode of(String source, BodyFormat format, SourceMessage message) {
    ObjectNode data =
        JsonNodeFactory.instance.objectNode().put("id", message.id()).put("source", source);
    ObjectNode headers = data.putObject("headers");
    message.headers().forEach(headers::put);
    data.set("body", body(format, message.body()));
    return data;
  }

  private static JsonNode body(BodyFormat format, Buffer body) {
    try {
      return format == BodyFormat.JSON
          ? Json.parse("the body of the message", body.getBytes())
          : JsonNodeFactory.instance.textNode(
              StandardCharsets.UTF_8
                  .newDecoder()
                  .decode(ByteBuffer.wrap(body.getBytes()))
                  .toString());
    } catch (CodecException e) {
      throw new PollersException(PollersException.Code.INVALID, String.valueOf(e.getMessage()));
    } catch (CharacterCodingException e) {
      throw new PollersException(
          PollersException.Code.INVALID, "the body of the message is no text in UTF-8");
    }
  }

  /** Returns the data that templates see after the success of a message. */
  public static ObjectNode after(ObjectNode data, Outcome.Succeeded result) {
    ObjectNode all = data.deepCopy();
    ObjectNode its = all.putObject("result").put("outcome", result.outcome());
    if (result.ref() != null) {
      its.put("ref", result.ref());
    }
    return all;
  }
}
