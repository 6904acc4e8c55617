package io.callboard.codecs;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.deser.std.EnumDeserializer;
import com.fasterxml.jackson.databind.type.ArrayType;
import com.fasterxml.jackson.databind.type.ReferenceType;
import java.io.IOException;
import java.lang.reflect.Array;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Refusal of what would be read as something else. A number is no time, of so many seconds, no
 * constant of an enum, at that place, and not infinite, if it is too large for a double; nor is a
 * text of digits a time, or a text such as NaN a number. A type with a reader of its own
 * ({@code @JsonDeserialize}) reads what that reads, and a value that is none of these ({@code
 * Object}, {@code Number}) is the exact number. What a constant or a key must be is said, whatever
 * reads it.
 */
final class ExactScalars extends BeanDeserializerModifier {
  private static final long serialVersionUID = 1L;

  private static final Set<JsonFormat.Shape> TEXTS =
      Set.of(JsonFormat.Shape.ANY, JsonFormat.Shape.NATURAL, JsonFormat.Shape.STRING);

  private static final Set<Class<?>> DOUBLES =
      Set.of(double.class, Double.class, float.class, Float.class);

  /** Texts that Jackson reads as numbers that are not finite. */
  private static final Set<String> NOT_FINITE =
      Set.of("NaN", "INF", "+INF", "-INF", "Infinity", "+Infinity", "-Infinity");

  /** Types of which Jackson reads a text of digits as the time of so many seconds or ms. */
  private static final Set<Class<?>> INSTANTS =
      Set.of(Instant.class, OffsetDateTime.class, ZonedDateTime.class, Date.class);

  private static final Pattern DIGITS = Pattern.compile("\\s*[+-]?[0-9]+([.][0-9]*)?\\s*");

  @Override
  public JsonDeserializer<?> modifyDeserializer(
      DeserializationConfig config, BeanDescription type, JsonDeserializer<?> reader) {
    Class<?> of = type.getBeanClass();
    if (DOUBLES.contains(of)) {
      return new Finite(reader);
    }
    boolean time =
        of == Date.class || (of.getPackageName().equals("java.time") && of != Year.class);
    return time ? new Text(reader, !INSTANTS.contains(of)) : reader;
  }

  @Override
  public JsonDeserializer<?> modifyEnumDeserializer(
      DeserializationConfig config,
      JavaType type,
      BeanDescription description,
      JsonDeserializer<?> reader) {
    boolean byName = // a value of its own, or what a creator takes, may be a number
        reader instanceof EnumDeserializer && description.findJsonValueAccessor() == null;
    return isText(description.findExpectedFormat()) ? new Name(reader, !byName) : reader;
  }

  @Override
  public KeyDeserializer modifyKeyDeserializer(
      DeserializationConfig config, JavaType type, KeyDeserializer reader) {
    Class<?> of = type.getRawClass();
    return of.isEnum() || of == Date.class || DOUBLES.contains(of) ? new Key(of, reader) : reader;
  }

  /** Returns the values of an enum as JSON has them, after the words of Jackson for them. */
  private static String oneOf(Class<?> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(constant -> Json.uncheckedTree(constant).asText())
        .collect(Collectors.joining(", ", JsonFault.ONE_OF + "[", "]"));
  }

  private static boolean isInfinite(Object value) {
    return value instanceof OptionalDouble optional
        ? !Double.isFinite(optional.orElse(0))
        : value instanceof Number read && !Double.isFinite(read.doubleValue());
  }

  @Override
  public JsonDeserializer<?> modifyReferenceDeserializer(
      DeserializationConfig config,
      ReferenceType type,
      BeanDescription description,
      JsonDeserializer<?> reader) {
    return type.hasRawClass(OptionalDouble.class) ? new Finite(reader) : reader;
  }

  @Override
  public JsonDeserializer<?> modifyArrayDeserializer(
      DeserializationConfig config,
      ArrayType type,
      BeanDescription description,
      JsonDeserializer<?> reader) {
    Class<?> each = type.getContentType().getRawClass();
    return each == double.class || each == float.class ? new FiniteArray(reader, each) : reader;
  }

  /** Returns whether a value of a format is written as a text, as it is without one. */
  private static boolean isText(JsonFormat.@Nullable Value format) {
    return format == null || TEXTS.contains(format.getShape());
  }

  /** Reader of values that are texts, unless the format of their component is another. */
  private abstract static class Textual extends DelegatingDeserializer {
    private static final long serialVersionUID = 1L;

    Textual(JsonDeserializer<?> reader) {
      super(reader);
    }

    @Override
    public JsonDeserializer<?> createContextual(
        DeserializationContext context, BeanProperty property) throws JsonMappingException {
      JsonDeserializer<?> reader = super.createContextual(context, property);
      return isText(findFormatOverrides(context, property, handledType()))
          ? reader
          : reader.getDelegatee();
    }
  }

  /** Reader of times. */
  private static final class Text extends Textual {
    private static final long serialVersionUID = 1L;

    private final boolean digits;

    /**
     * Creates a reader.
     *
     * @param digits whether a text of digits may be a time, as one with a pattern may
     */
    Text(JsonDeserializer<?> reader, boolean digits) {
      super(reader);
      this.digits = digits;
    }

    @Override
    protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> reader) {
      return new Text(reader, digits);
    }

    @Override
    public JsonDeserializer<?> createContextual(
        DeserializationContext context, BeanProperty property) throws JsonMappingException {
      JsonDeserializer<?> reader = super.createContextual(context, property);
      JsonFormat.Value format = findFormatOverrides(context, property, handledType());
      return reader instanceof Text && format != null && format.hasPattern()
          ? new Text(reader.getDelegatee(), true)
          : reader;
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      if (!parser.hasToken(JsonToken.VALUE_STRING)) {
        return context.handleUnexpectedToken(handledType(), parser);
      }
      String text = parser.getText();
      return !digits && DIGITS.matcher(text).matches()
          ? context.handleWeirdStringValue(handledType(), text, "it is a number")
          : super.deserialize(parser, context);
    }
  }

  /** Reader of the constants of an enum. */
  private static final class Name extends Textual {
    private static final long serialVersionUID = 1L;

    private static final String UNKNOWN = "No enum constant "; // of valueOf, before the value

    private final boolean ownValues;

    /**
     * Creates a reader.
     *
     * @param ownValues whether they are read from values of their own rather than from their names
     */
    Name(JsonDeserializer<?> reader, boolean ownValues) {
      super(reader);
      this.ownValues = ownValues;
    }

    @Override
    protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> reader) {
      return new Name(reader, ownValues);
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      if (!ownValues && parser.currentToken().isNumeric()) {
        return refused(parser.getText(), context);
      }
      String text = parser.currentToken().isScalarValue() ? parser.getText() : null;
      boolean blank = getDelegatee() instanceof EnumDeserializer && text != null && text.isBlank();
      try {
        return super.deserialize(parser, context);
      } catch (JsonMappingException e) {
        boolean unknown =
            e.getCause() instanceof IllegalArgumentException cause
                && String.valueOf(cause.getMessage()).startsWith(UNKNOWN);
        if (text != null && (blank || unknown)) {
          return refused(text, context);
        }
        throw e;
      }
    }

    private Object refused(String text, DeserializationContext context) throws IOException {
      return context.handleWeirdStringValue(handledType(), text, "%s", oneOf(handledType()));
    }
  }

  /** Reader of keys of a map. */
  private static final class Key extends KeyDeserializer {
    private final Class<?> type;
    private final KeyDeserializer reader;

    Key(Class<?> type, KeyDeserializer reader) {
      this.type = type;
      this.reader = reader;
    }

    @Override
    public Object deserializeKey(String key, DeserializationContext context) throws IOException {
      boolean isTime = type == Date.class && DIGITS.matcher(key).matches();
      if (isTime) {
        return context.handleWeirdKey(type, key, "it is a number");
      }
      Object read;
      try {
        read = reader.deserializeKey(key, context);
      } catch (JsonMappingException e) {
        if (!type.isEnum()) {
          throw e;
        }
        return context.handleWeirdKey(type, key, "%s", oneOf(type));
      }
      return isInfinite(read) ? context.handleWeirdKey(type, key, "it is not finite") : read;
    }
  }

  /** Reader of numbers that are finite. */
  private static final class Finite extends DelegatingDeserializer {
    private static final long serialVersionUID = 1L;

    Finite(JsonDeserializer<?> reader) {
      super(reader);
    }

    @Override
    protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> reader) {
      return new Finite(reader);
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      if (parser.hasToken(JsonToken.VALUE_STRING)) {
        if (NOT_FINITE.contains(parser.getText().trim())) {
          throw JsonMappingException.from(parser, "it must be a number that is finite");
        }
        return context.handleUnexpectedToken(handledType(), parser);
      }
      Object value = super.deserialize(parser, context);
      if (isInfinite(value)) {
        String type = value instanceof Float ? "float" : "double";
        throw JsonMappingException.from(parser, "a number is out of range of " + type);
      }
      return value;
    }
  }

  /** Reader of arrays of primitive numbers, each by its own reader. */
  private static final class FiniteArray extends DelegatingDeserializer {
    private static final long serialVersionUID = 1L;

    private final Class<?> element;

    FiniteArray(JsonDeserializer<?> reader, Class<?> element) {
      super(reader);
      this.element = element;
    }

    @Override
    protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> reader) {
      return new FiniteArray(reader, element);
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      if (!parser.isExpectedStartArrayToken()) {
        return context.handleUnexpectedToken(handledType(), parser);
      }
      JsonDeserializer<Object> one =
          context.findRootValueDeserializer(context.constructType(element));
      List<Object> read = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        try {
          read.add(
              parser.hasToken(JsonToken.VALUE_NULL)
                  ? one.getNullValue(context)
                  : one.deserialize(parser, context));
        } catch (JsonMappingException e) {
          e.prependPath(read, read.size());
          throw e;
        }
      }
      Object array = Array.newInstance(element, read.size());
      for (int i = 0; i < read.size(); i++) {
        Array.set(array, i, read.get(i));
      }
      return array;
    }
  }
}
