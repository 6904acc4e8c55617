package io.callboard.codecs;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;

/**
 * The one JSON dialect of what is stored and sent: RFC 3339 times, ISO 8601 durations, no null
 * fields, no class names, bounded depth and length; unknown fields are tolerated on read, scalars
 * are never coerced.
 */
public final class Json {
  private static final ObjectMapper MAPPER = mapper();

  private Json() {}

  private static ObjectMapper mapper() {
    JsonFactory factory =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(100)
                    .maxStringLength(16 << 20)
                    .build())
            .build();
    ObjectMapper mapper =
        JsonMapper.builder(factory)
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .serializationInclusion(JsonInclude.Include.NON_NULL)
            .build();
    mapper
        .coercionConfigFor(LogicalType.Textual)
        .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
    return mapper;
  }

  /** {@code value} as a tree. */
  public static JsonNode tree(Object value) {
    try {
      return MAPPER.valueToTree(value);
    } catch (IllegalArgumentException e) {
      throw CodecException.unwritable(value.getClass().getName(), e);
    }
  }

  /** {@code value} as UTF-8 JSON. */
  public static byte[] bytes(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw CodecException.unwritable(value.getClass().getName(), e);
    }
  }

  /** Reads values of {@code type} from bytes, without a tree between. */
  static ObjectReader reader(Class<?> type) {
    return MAPPER.readerFor(type);
  }

  /**
   * @param what names the text in the error
   * @throws CodecException if {@code json} is not well-formed
   */
  public static JsonNode parse(String what, byte[] json) {
    try {
      return MAPPER.readTree(json);
    } catch (IOException e) {
      throw CodecException.malformed(what, e);
    }
  }

  /**
   * @param what names the value in the error
   * @throws CodecException if {@code tree} does not fit {@code type}
   */
  public static <T> T convert(String what, JsonNode tree, Class<T> type) {
    try {
      T value = MAPPER.treeToValue(tree, type);
      if (value == null) {
        throw CodecException.malformed(what, "it is null");
      }
      return value;
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw CodecException.malformed(what, e);
    }
  }

  /** {@link #parse} and {@link #convert} in one. */
  public static <T> T read(String what, byte[] json, Class<T> type) {
    return convert(what, parse(what, json), type);
  }
}
