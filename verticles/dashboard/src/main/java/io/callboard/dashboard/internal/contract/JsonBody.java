package io.callboard.dashboard.internal.contract;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.JsonFault;
import io.callboard.codecs.internal.text.Utf8;
import java.util.List;

/**
 * Parser of untrusted JSON: no duplicate names, nothing after the value, bounded depth; decimals
 * keep every digit.
 */
public final class JsonBody {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(32).build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private JsonBody() {}

  /**
   * Returns the value.
   *
   * @throws ProblemException of kind {@code MALFORMED} that names the place
   */
  public static JsonNode parse(byte[] bytes) {
    try {
      JsonNode body = MAPPER.readTree(Utf8.text("the body", bytes));
      if (body.isMissingNode()) {
        throw ProblemException.malformed(List.of(new Fault("", "the body is empty")));
      }
      return body;
    } catch (JsonProcessingException e) {
      throw ProblemException.malformed(
          List.of(
              new Fault(
                  "",
                  "the body cannot be read as JSON: %s%s".formatted(JsonFault.why(e), where(e)))));
    } catch (NumberFormatException e) { // of an exponent that no decimal has
      throw ProblemException.malformed(
          List.of(new Fault("", "the body has a number whose exponent is too large")));
    } catch (CodecException e) {
      throw ProblemException.malformed(List.of(new Fault("", String.valueOf(e.getMessage()))));
    }
  }

  private static String where(JsonProcessingException e) {
    JsonLocation at = e.getLocation();
    return at == null ? "" : ", at line %d, column %d".formatted(at.getLineNr(), at.getColumnNr());
  }
}
