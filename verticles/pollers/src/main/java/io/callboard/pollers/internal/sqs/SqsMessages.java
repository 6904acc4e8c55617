package io.callboard.pollers.internal.sqs;

import io.callboard.codecs.internal.text.CutText;
import io.callboard.codecs.internal.text.Digest;
import io.callboard.pollers.source.EmissionRefusedException;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.SourceMessage;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/** Converts messages of SQS into messages for a poller, and emitted messages into requests. */
final class SqsMessages {
  /** Header with the group of a message of a FIFO queue. */
  static final String GROUP = "sqs-group";

  static final String CAUSE = "callboard-cause";
  static final String ID = "callboard-id";
  private static final int MOST_ATTRIBUTES = 10;
  private static final int MOST_OF_AN_ID = 300;
  private static final int MOST_OF_A_CAUSE = 1_000;
  private static final String DEFAULT_GROUP = "callboard";

  private SqsMessages() {}

  /** Returns the message; an id that is too long or blank is replaced by that of SQS. */
  static SourceMessage taken(Message message, String receipt, @Nullable String idAttribute) {
    Map<String, String> headers = new HashMap<>();
    message.messageAttributes().forEach((name, value) -> headers.put(name, text(value)));
    String id = message.messageId();
    String given = idAttribute == null ? null : headers.remove(idAttribute);
    if (given != null && !given.isBlank() && given.length() <= MOST_OF_AN_ID) {
      id = given;
    }
    String group = system(message, MessageSystemAttributeName.MESSAGE_GROUP_ID);
    if (group != null) {
      headers.put(GROUP, group);
    }
    String deliveries = system(message, MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT);
    String sent = system(message, MessageSystemAttributeName.SENT_TIMESTAMP);
    return new SourceMessage(
        id,
        receipt,
        Buffer.buffer(message.body()),
        headers,
        deliveries == null ? 0 : Integer.parseInt(deliveries),
        sent == null ? null : Instant.ofEpochMilli(Long.parseLong(sent)));
  }

  private static @Nullable String system(Message message, MessageSystemAttributeName name) {
    return message.attributes().get(name);
  }

  /** Returns a value as text: bytes in Base64. */
  private static String text(MessageAttributeValue value) {
    return value.binaryValue() == null
        ? String.valueOf(value.stringValue())
        : Base64.getEncoder().encodeToString(value.binaryValue().asByteArray());
  }

  private static MessageAttributeValue attribute(String text) {
    return MessageAttributeValue.builder().dataType("String").stringValue(text).build();
  }

  /** Returns whether the cause can go with a message as attributes. */
  static boolean hasRoom(Message message) {
    return message.messageAttributes().size() + 2 <= MOST_ATTRIBUTES;
  }

  /**
   * Returns the copy of a message for the dead letters.
   *
   * @param cause null to leave it out
   */
  static SendMessageRequest dead(Message message, String url, @Nullable String cause) {
    Map<String, MessageAttributeValue> attributes = new HashMap<>(message.messageAttributes());
    if (cause != null) {
      String all = cause.isBlank() ? "no cause" : cause;
      attributes.put(ID, attribute(message.messageId()));
      attributes.put(CAUSE, attribute(CutText.head(all, MOST_OF_A_CAUSE)));
    }
    String group = system(message, MessageSystemAttributeName.MESSAGE_GROUP_ID);
    return send(url, message.body(), attributes, message.messageId(), group);
  }

  /** Returns the request that sends an emitted message. */
  static SendMessageRequest sent(EmittedMessage message, String url, String idAttribute) {
    Map<String, MessageAttributeValue> attributes = new HashMap<>();
    Map<String, String> headers = new HashMap<>(message.headers());
    String group = headers.remove(GROUP);
    headers.forEach((name, value) -> attributes.put(name, attribute(value)));
    if (attributes.put(idAttribute, attribute(message.id())) != null) {
      throw new EmissionRefusedException(
          "the message has a header \"%s\", which is the attribute of its id"
              .formatted(idAttribute));
    } else if (attributes.size() > MOST_ATTRIBUTES) {
      throw new EmissionRefusedException(
          "the message has %d headers; SQS takes %d, and its id is one"
              .formatted(message.headers().size(), MOST_ATTRIBUTES));
    }
    return send(url, utf8(message.body()), attributes, message.id(), group);
  }

  private static String utf8(Buffer body) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(body.getBytes()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new EmissionRefusedException("the body is no UTF-8; SQS takes nothing else");
    }
  }

  /** A FIFO queue drops what is sent again with the same id within five minutes. */
  private static SendMessageRequest send(
      String url,
      String body,
      Map<String, MessageAttributeValue> attributes,
      String id,
      @Nullable String group) {
    SendMessageRequest.Builder request =
        SendMessageRequest.builder().queueUrl(url).messageBody(body).messageAttributes(attributes);
    if (SqsSettings.isFifo(url)) {
      request
          .messageGroupId(group == null ? DEFAULT_GROUP : group)
          .messageDeduplicationId(deduplicationId(id));
    }
    return request.build();
  }

  /** Returns the id, or its hash if it has characters or a length that SQS does not take. */
  private static String deduplicationId(String id) {
    return id.matches("[!-~]{1,128}") ? id : Digest.whole(id);
  }
}
