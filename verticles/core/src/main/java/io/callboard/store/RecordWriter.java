package io.callboard.store;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.codecs.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writer of the JSON of a record. Not thread-safe. */
final class RecordWriter {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
  private final StringBuilder text = new StringBuilder(128);

  /** Adds text that is a part of JSON, as it is. */
  @CanIgnoreReturnValue
  RecordWriter add(String json) {
    text.append(json);
    return this;
  }

  @CanIgnoreReturnValue
  RecordWriter add(long number) {
    text.append(number);
    return this;
  }

  /** Adds a text, in quotes. */
  @CanIgnoreReturnValue
  RecordWriter text(String value) {
    text.append('"');
    JsonStringEncoder.getInstance().quoteAsString(value, text);
    text.append('"');
    return this;
  }

  @CanIgnoreReturnValue
  RecordWriter json(JsonNode value) {
    flush();
    bytes.writeBytes(Json.uncheckedBytes(value));
    return this;
  }

  private void flush() {
    bytes.writeBytes(text.toString().getBytes(StandardCharsets.UTF_8));
    text.setLength(0);
  }

  byte[] bytes() {
    flush();
    return bytes.toByteArray();
  }
}
