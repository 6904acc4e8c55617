package io.callboard.codecs;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The one JSON dialect of what is stored and sent: RFC 3339 times, ISO 8601 durations, no null
 * fields, no class names; decimals keep every digit. On read unknown fields are tolerated, a field
 * that is there twice is refused, scalars are never coerced. A component of a record that is
 * missing or null is refused on read, and a null one on write, unless it may be ({@link
 * Nullability}).
 *
 * <p>Limits on read: {@value #MOST_DEPTH} levels, {@value #MOST_TOKENS} tokens, numbers of {@value
 * #MOST_DIGITS} and field names of {@value #MOST_NAME} characters, texts of {@value #MOST_TEXT}.
 * The length of the whole is limited by who reads it.
 */
public final class Json {
  private static final int MOST_DEPTH = 100;
  private static final int MOST_TOKENS = 1 << 20;
  private static final int MOST_DIGITS = 1_000;
  private static final int MOST_NAME = 4_096;
  private static final int MOST_TEXT = 16 << 20;

  private static final ObjectMapper MAPPER = mapper();

  private Json() {}

  private static ObjectMapper mapper() {
    JsonFactory factory =
        JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(MOST_DEPTH)
                    .maxTokenCount(MOST_TOKENS)
                    .maxNumberLength(MOST_DIGITS)
                    .maxNameLength(MOST_NAME)
                    .maxStringLength(MOST_TEXT)
                    .build())
            .build();
    ObjectMapper mapper =
        JsonMapper.builder(factory)
            .addModule(new JavaTimeModule())
            .addModule(new Jdk8Module())
            .addModule(new SimpleModule().setSerializerModifier(new RequiredComponents.Written()))
            .annotationIntrospector(new RequiredComponents())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .serializationInclusion(JsonInclude.Include.NON_ABSENT)
            .build();
    mapper
        .coercionConfigFor(LogicalType.Textual)
        .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
    return mapper;
  }

  /** How values of {@code type} look as JSON. */
  public static BeanDescription describe(JavaType type) {
    return MAPPER.getDeserializationConfig().introspect(type);
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
   * {@code text}, if it can be written again.
   *
   * @throws CodecException if it holds half a surrogate pair
   */
  static String text(String what, String text) {
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw CodecException.malformed(what, "a text in it holds half a surrogate pair");
    }
    return text;
  }

  /**
   * @param what names the text in the error
   * @throws CodecException if {@code json} is not well-formed
   */
  public static JsonNode parse(String what, byte[] json) {
    return parse(what, json, 0, json.length);
  }

  static JsonNode parse(String what, byte[] json, int offset, int length) {
    JsonNode tree;
    try {
      tree = MAPPER.readTree(json, offset, length);
    } catch (IOException | IllegalArgumentException e) {
      throw CodecException.malformed(what, e);
    }
    if (tree.isMissingNode()) {
      throw CodecException.malformed(what, "it is empty");
    }
    return tree;
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
      throw CodecException.misfit(what, e);
    }
  }

  /** {@link #parse} and {@link #convert} in one. */
  public static <T> T read(String what, byte[] json, Class<T> type) {
    return convert(what, parse(what, json), type);
  }
}
