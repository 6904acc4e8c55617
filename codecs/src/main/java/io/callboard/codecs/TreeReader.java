package io.callboard.codecs;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.std.JsonNodeDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.jsontype.TypeDeserializer;
import java.io.IOException;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Deserializer of JSON trees that keeps -0.0, for which decimals have no number. */
final class TreeReader extends StdDeserializer<JsonNode> {
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
      JsonParser parser, DeserializationContext context, TypeDeserializer type) throws IOException {
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
