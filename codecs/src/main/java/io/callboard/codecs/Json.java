package io.callboard.codecs;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.deser.DefaultDeserializationContext;
import com.fasterxml.jackson.databind.deser.impl.UnsupportedTypeDeserializer;
import com.fasterxml.jackson.databind.deser.std.JsonNodeDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.TypeDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NumericNode;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.databind.type.TypeFactory;
import com.fasterxml.jackson.databind.util.RawValue;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeFeature;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Currency;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The one JSON dialect of what is stored and sent: RFC 3339 times (a {@code ZonedDateTime} with its
 * zone in brackets), ISO 8601 durations, no null fields, no class names; decimals keep every digit,
 * sets their order, maps their nulls. On read unknown fields are tolerated, a field that is there
 * twice is refused, scalars are never coerced. A component of a record that is missing or null is
 * refused on read, and a null one on write, unless it may be ({@link Nullability}).
 *
 * <p>Limits on read: 100 levels, 1,048,576 tokens, numbers of 1,000 digits, field names of 4,096
 * bytes of UTF-8, texts of 16,777,216 characters. A value that is written stays 10 levels and 1,000
 * tokens below, so that it can be read again wherever it is kept; data of users that messages and
 * states hold ({@link #data}) stays below that by as much again. The length of the whole is limited
 * by who reads it.
 */
public final class Json {
  private static final ObjectMapper MAPPER = mapper();

  /** Reads what others than the codec wrote. */
  private static final ObjectMapper EXACT = exact();

  private Json() {}

  private static ObjectMapper mapper() {
    JsonFactory factory =
        JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(JsonLimits.constraints())
            .build();
    ObjectMapper mapper =
        JsonMapper.builder(factory)
            .addModule(new JavaTimeModule().disable(JavaTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID))
            .addModule(new Jdk8Module())
            .addModule(new SimpleModule().setSerializerModifier(new RequiredComponents.Written()))
            .addModule(noClasses())
            .addModule(
                new SimpleModule("exact values")
                    .addDeserializer(JsonNode.class, new TreeReader())
                    .addAbstractTypeMapping(Set.class, LinkedHashSet.class))
            .annotationIntrospector(new RequiredComponents())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .enable(SerializationFeature.WRITE_DATES_WITH_ZONE_ID)
            .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .polymorphicTypeValidator(new NoClassNames())
            .defaultPropertyInclusion(
                JsonInclude.Value.construct(
                    JsonInclude.Include.NON_ABSENT, JsonInclude.Include.ALWAYS))
            .addHandler(new UnknownFields.Handler())
            .build();
    mapper
        .coercionConfigFor(LogicalType.Textual)
        .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
    return mapper;
  }

  private static ObjectMapper exact() {
    ObjectMapper exact =
        MAPPER
            .copy()
            .registerModule(
                new SimpleModule("exact scalars").setDeserializerModifier(new ExactScalars()));
    exact.coercionConfigDefaults().setAcceptBlankAsEmpty(true); // which would be read as null
    for (LogicalType type : List.of(LogicalType.Integer, LogicalType.Float, LogicalType.Boolean)) {
      exact
          .coercionConfigFor(type)
          .setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail);
    }
    for (Class<?> type : List.of(UUID.class, Currency.class, Pattern.class, TimeZone.class)) {
      exact
          .coercionConfigFor(type)
          .setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail);
    }
    return exact;
  }

  /**
   * Refuses classes as values and as keys: Jackson would load, and initialize, the class that is
   * named.
   */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private static SimpleModule noClasses() {
    JavaType type = TypeFactory.defaultInstance().constructType(Class.class);
    JsonDeserializer refused = new UnsupportedTypeDeserializer(type, NoClassNames.WHY);
    return new SimpleModule("no classes")
        .addDeserializer(Class.class, refused)
        .addKeyDeserializer(Class.class, new NoClassNames.Keys());
  }

  /** Returns Jackson's description of how values of {@code type} are read from JSON. */
  public static BeanDescription describe(JavaType type) {
    return MAPPER.getDeserializationConfig().introspect(type);
  }

  /** Returns Jackson's description of how values of {@code type} are written as JSON. */
  static BeanDescription written(JavaType type) {
    return MAPPER.getSerializationConfig().introspect(type);
  }

  /**
   * Returns {@code value} as a tree.
   *
   * @throws CodecException if it cannot be written, or not be read back then
   */
  public static JsonNode tree(Object value) {
    JsonNode tree = uncheckedTree(value);
    JsonLimits.VALUE.check(value.getClass().getName(), tree);
    return tree;
  }

  /**
   * Returns JSON that is well-formed as a node that can only be written: its fields are not seen.
   * For states, which each commit writes once and nobody looks into.
   */
  public static JsonNode raw(byte[] json) {
    return JsonNodeFactory.instance.rawValueNode(
        new RawValue(new String(json, StandardCharsets.UTF_8)));
  }

  /**
   * Returns {@code value} as UTF-8 JSON; the caller limits its length.
   *
   * @throws CodecException if it cannot be written, or not be read back then
   */
  public static byte[] bytes(Object value) {
    return bytes(value.getClass().getName(), value);
  }

  /**
   * Returns {@code value} as UTF-8 JSON; the caller limits its length.
   *
   * @param what names the value in the error
   */
  public static byte[] bytes(String what, Object value) {
    byte[] json = write(what, value);
    JsonLimits.VALUE.check(() -> what, json);
    return json;
  }

  /**
   * Returns a message, state or event as UTF-8 JSON, which its class reads back; the caller limits
   * its length.
   *
   * @param kind what errors call it: a message, a state, an event
   * @throws CodecException if it cannot be written, or not be read back then
   */
  public static byte[] readable(String kind, Object value) {
    Class<?> type = value.getClass();
    RoundTripCheck.check(kind, type);
    byte[] json = write(type.getName(), value);
    JsonLimits.VALUE.check(() -> RoundTripCheck.what(kind, type), json);
    RoundTripCheck.check(kind, value, json);
    return json;
  }

  /**
   * Checks that values of a class can be read from JSON.
   *
   * @param kind what errors call them
   * @throws CodecException if they cannot, with the component that is at fault
   */
  public static void checkReadable(String kind, Class<?> type) {
    RoundTripCheck.check(kind, type);
  }

  /**
   * Returns data of users as UTF-8 JSON, which fits into whatever message or state will hold it; to
   * be called where it comes into being. The caller limits its length.
   *
   * @param what names the data in the error
   * @throws CodecException if it cannot be written, or not be read back then
   */
  public static byte[] data(String what, Object value) {
    return checked(what, value, write(what, value));
  }

  /**
   * Returns data of users as {@link #data(String, Object)} does; empty if it is longer than {@code
   * most} bytes, and then it is not written to its end, which it may not have.
   */
  public static Optional<byte[]> data(String what, Object value, int most) {
    LimitedBytes json = new LimitedBytes(most);
    try {
      MAPPER.writeValue(json, value);
    } catch (IOException e) {
      if (json.over) {
        return Optional.empty();
      }
      throw CodecException.unwritable(what, e);
    }
    return Optional.of(checked(what, value, json.bytes.toByteArray()));
  }

  /** Bytes in memory, up to a limit. */
  private static final class LimitedBytes extends OutputStream {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final int most;
    private boolean over;

    LimitedBytes(int most) {
      this.most = most;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
      over |= length > most - bytes.size();
      if (over) {
        throw new IOException("it has more than %,d bytes".formatted(most));
      }
      bytes.write(from, offset, length);
    }
  }

  private static byte[] checked(String what, Object value, byte[] json) {
    JsonLimits.DATA.check(() -> what, json);
    if (value instanceof JsonNode tree && hasInfinity(tree)) { // which is written as a text
      throw CodecException.unreadable(
          what, "a number in it is not finite: NaN, Infinity or -Infinity");
    }
    return json;
  }

  private static boolean hasInfinity(JsonNode tree) {
    boolean found = tree instanceof NumericNode number && number.isNaN(); // or infinite
    for (Iterator<JsonNode> children = tree.elements(); !found && children.hasNext(); ) {
      found = hasInfinity(children.next());
    }
    return found;
  }

  /**
   * Reads data of users that others wrote, with the limits of {@link #data}.
   *
   * @param what names the text in the error
   * @throws CodecException if it is not well-formed; with the reason {@code UNWRITABLE} if it is
   *     beyond a limit
   */
  public static JsonNode parseData(String what, byte[] json) {
    JsonNode tree;
    try {
      tree = parse(what, json);
    } catch (CodecException e) {
      throw e.getCause() instanceof StreamConstraintsException ? CodecException.beyond(e) : e;
    }
    JsonLimits.DATA.check(what, tree);
    return tree;
  }

  /**
   * Returns {@code value} as a tree that is only shown, hence without a check that it can be read
   * back.
   */
  public static JsonNode uncheckedTree(Object value) {
    try {
      return MAPPER.valueToTree(value);
    } catch (IllegalArgumentException e) {
      throw CodecException.unwritable(value.getClass().getName(), e);
    }
  }

  /**
   * Returns {@code value} as UTF-8 JSON without a check that it can be read back: for what is only
   * shown, or made of little more than what was checked or read.
   */
  public static byte[] uncheckedBytes(Object value) {
    return write(value.getClass().getName(), value);
  }

  private static byte[] write(String what, Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw CodecException.unwritable(what, e);
    }
  }

  /** Reads values of {@code type} from bytes, without a tree between. */
  static ObjectReader reader(Class<?> type) {
    return MAPPER.readerFor(type);
  }

  /** Returns a context in which Jackson's readers of types can be looked up. */
  static DeserializationContext reading() {
    return ((DefaultDeserializationContext) MAPPER.getDeserializationContext())
        .createDummyInstance(MAPPER.getDeserializationConfig());
  }

  /** Returns a context in which Jackson's writers of types can be looked up. */
  static SerializerProvider writing() {
    return MAPPER.getSerializerProviderInstance();
  }

  /**
   * Returns {@code text} if it can be written as UTF-8.
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
   * Reads a tree.
   *
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
   * Converts a tree into a value.
   *
   * @param what names the value in the error
   * @throws CodecException if {@code tree} does not fit {@code type}
   */
  public static <T> T convert(String what, JsonNode tree, Class<T> type) {
    return convert(MAPPER, what, tree, type);
  }

  private static <T> T convert(ObjectMapper mapper, String what, JsonNode tree, Class<T> type) {
    try {
      T value = mapper.treeToValue(tree, type);
      if (value == null) {
        throw CodecException.malformed(what, "it is null");
      }
      return value;
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw CodecException.misfit(what, e);
    }
  }

  /**
   * Converts a tree that users wrote, and that nobody has accepted yet, into a value. A number is
   * no time, no constant of an enum and, if it is too large for a {@code double} or {@code float},
   * not infinite; a text of digits is no time, one such as {@code NaN} no number, and a blank one
   * is not null. What is refused so {@link #convert} reads still, as what was accepted before must
   * stay readable.
   *
   * @param what names the value in the error
   * @throws CodecException if {@code tree} does not fit {@code type}
   */
  public static <T> T convertExactly(String what, JsonNode tree, Class<T> type) {
    return convert(EXACT, what, tree, type);
  }

  /** Reads a value of {@code type}: {@link #parse} and {@link #convert} in one. */
  public static <T> T read(String what, byte[] json, Class<T> type) {
    return convert(what, parse(what, json), type);
  }

  /** Deserializer of JSON trees that keeps -0.0, for which decimals have no number. */
  private static final class TreeReader extends StdDeserializer<JsonNode> {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static final JsonDeserializer<JsonNode> TREES =
        (JsonDeserializer) JsonNodeDeserializer.getDeserializer(JsonNode.class);

    TreeReader() {
      super(JsonNode.class);
    }

    @Override
    public JsonNode deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      return TREES.deserialize(new NegativeZeros(parser), context);
    }

    @Override
    public Object deserializeWithType(
        JsonParser parser, DeserializationContext context, TypeDeserializer type)
        throws IOException {
      return deserialize(parser, context);
    }

    @Override
    public @Nullable JsonNode getNullValue(DeserializationContext context) {
      return context.getNodeFactory().nullNode();
    }

    @Override
    public @Nullable Object getAbsentValue(DeserializationContext context) {
      return null;
    }

    /** Parser for which -0.0 is no decimal, as NaN is none: Jackson makes a double of it. */
    private static final class NegativeZeros extends JsonParserDelegate {
      NegativeZeros(JsonParser parser) {
        super(parser);
      }

      @Override
      public boolean isNaN() throws IOException {
        return super.isNaN()
            || (hasToken(JsonToken.VALUE_NUMBER_FLOAT)
                && getText().charAt(0) == '-'
                && new BigDecimal(getText()).signum() == 0);
      }
    }
  }
}
