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
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.deser.std.EnumDeserializer;
import com.fasterxml.jackson.databind.type.ArrayType;
import com.fasterxml.jackson.databind.type.ReferenceType;
import java.io.IOException;
import java.lang.reflect.Array;
import java.time.Year;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Refusal of numbers that would be read as something else: as the time of so many seconds, as the
 * constant of an enum at that place, or, if they are too large for a double, as infinite. A type
 * with a reader of its own ({@code @JsonDeserialize}) reads what that reads, and a value that is
 * none of these ({@code Object}, {@code Number}) is the exact number.
 */
final class ExactScalars extends BeanDeserializerModifier {
  private static final long serialVersionUID = 1L;

  private static final Set<JsonFormat.Shape> TEXTS =
      Set.of(JsonFormat.Shape.ANY, JsonFormat.Shape.NATURAL, JsonFormat.Shape.STRING);

  private static final Set<Class<?>> DOUBLES =
      Set.of(double.class, Double.class, float.class, Float.class);

  @Override
  public JsonDeserializer<?> modifyDeserializer(
      DeserializationConfig config, BeanDescription type, JsonDeserializer<?> reader) {
    Class<?> of = type.getBeanClass();
    if (DOUBLES.contains(of)) {
      return new Finite(reader);
    }
    boolean time =
        of == Date.class || (of.getPackageName().equals("java.time") && of != Year.class);
    return time ? new Text(reader) : reader;
  }

  @Override
  public JsonDeserializer<?> modifyEnumDeserializer(
      DeserializationConfig config,
      JavaType type,
      BeanDescription description,
      JsonDeserializer<?> reader) {
    boolean byName = // a value of its own may be a number
        reader instanceof EnumDeserializer
            && description.findJsonValueAccessor() == null
            && isText(description.findExpectedFormat());
    return byName ? new Name(reader) : reader;
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

    Text(JsonDeserializer<?> reader) {
      super(reader);
    }

    @Override
    protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> reader) {
      return new Text(reader);
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      return parser.hasToken(JsonToken.VALUE_STRING)
          ? super.deserialize(parser, context)
          : context.handleUnexpectedToken(handledType(), parser);
    }
  }

  /** Reader of the constants of an enum by their names. */
  private static final class Name extends Textual {
    private static final long serialVersionUID = 1L;

    Name(JsonDeserializer<?> reader) {
      super(reader);
    }

    @Override
    protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> reader) {
      return new Name(reader);
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      if (parser.currentToken().isNumeric()) {
        return refused(parser, context);
      }
      boolean blank = parser.hasToken(JsonToken.VALUE_STRING) && parser.getText().isBlank();
      try {
        return super.deserialize(parser, context);
      } catch (JsonMappingException e) {
        if (blank) {
          return refused(parser, context);
        }
        throw e;
      }
    }

    private Object refused(JsonParser parser, DeserializationContext context) throws IOException {
      String names =
          Arrays.stream(handledType().getEnumConstants())
              .map(constant -> Json.uncheckedTree(constant).asText())
              .collect(Collectors.joining(", ", "[", "]"));
      return context.handleWeirdStringValue(
          handledType(), parser.getText(), "%s", JsonFault.ONE_OF + names);
    }
  }

  /** Reader of numbers that are finite, or texts such as NaN, as which Jackson writes others. */
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
      boolean number = parser.currentToken().isNumeric();
      Object value = super.deserialize(parser, context);
      if (number && isInfinite(value)) {
        String type = value instanceof Float ? "float" : "double";
        throw JsonMappingException.from(parser, "a number is out of range of " + type);
      }
      return value;
    }

    private static boolean isInfinite(Object value) {
      return value instanceof OptionalDouble optional
          ? Double.isInfinite(optional.orElse(0))
          : value instanceof Number read && Double.isInfinite(read.doubleValue());
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
        return super.deserialize(parser, context);
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
