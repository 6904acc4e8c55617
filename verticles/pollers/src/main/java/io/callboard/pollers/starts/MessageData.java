package io.callboard.pollers.starts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.pollers.model.BodyFormat;
import io.callboard.pollers.model.PollersException;
import io.callboard.pollers.poll.Outcome;
import io.callboard.pollers.source.SourceMessage;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Data that templates see of a message. */
public final class MessageData {
  private MessageData() {}

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
