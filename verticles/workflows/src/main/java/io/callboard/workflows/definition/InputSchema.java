package io.callboard.workflows.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.callboard.codecs.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.SchemaException;
import io.vertx.json.schema.Validator;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * JSON Schema of the inputs of a definition. Thread-safe. A check takes as long as the schema and
 * the input demand, so it is no task of an event loop.
 */
public final class InputSchema {
  private static final String BASE = "https://callboard.invalid/";

  private final JsonNode schema;
  private final @Nullable JsonNode fixed;
  private final ConcurrentHashMap<String, SchemaPattern> patterns = new ConcurrentHashMap<>();

  /** Prepares a schema that {@link DefinitionCheck} has found valid. */
  public InputSchema(JsonNode schema) {
    this.schema = schema;
    this.fixed =
        BoundedSchema.isFixed(schema)
            ? BoundedSchema.of(schema, NullNode.getInstance(), new PatternSearch(patterns))
            : null;
  }

  /**
   * Input that does not match.
   *
   * @param pointer JSON pointer of the place, from that of the input
   * @param message what is wrong there
   */
  public record Mismatch(String pointer, String message) {}

  /** Returns why an input does not match, the deepest place of all; empty if it does. */
  public Optional<Mismatch> mismatch(JsonNode input) {
    PatternSearch search = new PatternSearch(patterns);
    try {
      JsonNode bounded = fixed == null ? BoundedSchema.of(schema, input, search) : fixed;
      return mismatch(bounded, checked(bounded, input, search));
    } catch (PatternSearch.Endless | IllegalArgumentException | SchemaException e) {
      return Optional.of(new Mismatch("", "cannot be checked: " + e.getMessage()));
    } catch (StackOverflowError e) { // of a format; the stack is free again
      return Optional.of(new Mismatch("", "cannot be checked: a text is too long for its format"));
    }
  }

  private static Optional<Mismatch> mismatch(JsonNode bounded, OutputUnit result) {
    if (Boolean.TRUE.equals(result.getValid())) {
      return Optional.empty();
    }
    List<OutputUnit> errors = result.getErrors() == null ? List.of() : result.getErrors();
    return Optional.of(
        errors.stream()
            .max(Comparator.comparingInt(InputSchema::depth))
            .map(each -> new Mismatch(pointer(each.getInstanceLocation()), message(bounded, each)))
            .orElse(new Mismatch("", "does not match the schema of the definition")));
  }

  private static OutputUnit checked(JsonNode bounded, JsonNode input, PatternSearch search) {
    Validator validator = // of one check: it is not thread-safe, and writes into its schema
        Validator.create(
            JsonSchema.of(new JsonObject(Buffer.buffer(Json.uncheckedBytes(bounded)))),
            new JsonSchemaOptions()
                .setDraft(Draft.DRAFT202012)
                .setBaseUri(BASE)
                .setOutputFormat(OutputFormat.Basic),
            (type, format, value) -> patternFault(format, value, search));
    return validator.validate(
        io.vertx.core.json.Json.decodeValue(Buffer.buffer(Json.uncheckedBytes(input))));
  }

  /** Returns what is wrong with a value whose format stands for a pattern; null if nothing is. */
  private static @Nullable String patternFault(
      @Nullable String format, @Nullable Object value, PatternSearch search) {
    return format != null
            && format.startsWith(BoundedSchema.PATTERN)
            && value instanceof String text
            && !search.isFoundIn(text, format.substring(BoundedSchema.PATTERN.length()))
        ? "String does not match " + format
        : null;
  }

  private static int depth(OutputUnit error) {
    return (int) error.getInstanceLocation().chars().filter(each -> each == '/').count() * 100
        + (int) error.getKeywordLocation().chars().filter(each -> each == '/').count();
  }

  /** Returns the library's message, with the text that the keyword demands. */
  private static String message(JsonNode bounded, OutputUnit error) {
    JsonNode demanded = bounded.at(pointer(error.getKeywordLocation()));
    String said = error.getError();
    return demanded.isTextual() && !said.contains(demanded.textValue())
        ? "%s: %s".formatted(said, demanded.textValue())
        : said;
  }

  private static String pointer(String location) {
    return location.startsWith("#/") ? location.substring(1) : "";
  }
}
