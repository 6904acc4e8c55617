package io.callboard.workflows.definition;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.Validator;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * JSON Schema of the inputs of a definition. Thread-safe. A check takes as long as the schema and
 * the input demand, so it is no task of an event loop.
 */
public final class InputSchema {
  private static final String BASE = "https://callboard.invalid/";

  private final JsonNode bounded;
  private final JsonObject schema;

  /** Prepares a schema that {@link DefinitionCheck} has found valid. */
  public InputSchema(JsonNode schema) {
    this.bounded = BoundedSchema.of(schema);
    this.schema = new JsonObject(Buffer.buffer(Json.uncheckedBytes(bounded)));
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
    OutputUnit result;
    try {
      result = checked(input);
    } catch (StackOverflowError e) { // of a regular expression; the stack is free again
      return Optional.of(
          new Mismatch("", "cannot be checked: a pattern of the schema is too complex for it"));
    }
    if (Boolean.TRUE.equals(result.getValid())) {
      return Optional.empty();
    }
    List<OutputUnit> errors = result.getErrors() == null ? List.of() : result.getErrors();
    return Optional.of(
        errors.stream()
            .max(Comparator.comparingInt(InputSchema::depth))
            .map(this::mismatch)
            .orElse(new Mismatch("", "does not match the schema of the definition")));
  }

  private OutputUnit checked(JsonNode input) {
    Validator validator = // of one check: it is not thread-safe, and writes into its schema
        Validator.create(
            JsonSchema.of(schema.copy()),
            new JsonSchemaOptions()
                .setDraft(Draft.DRAFT202012)
                .setBaseUri(BASE)
                .setOutputFormat(OutputFormat.Basic));
    return validator.validate(
        io.vertx.core.json.Json.decodeValue(Buffer.buffer(Json.uncheckedBytes(input))));
  }

  private static int depth(OutputUnit error) {
    return (int) error.getInstanceLocation().chars().filter(each -> each == '/').count() * 100
        + (int) error.getKeywordLocation().chars().filter(each -> each == '/').count();
  }

  private Mismatch mismatch(OutputUnit error) {
    return new Mismatch(pointer(error.getInstanceLocation()), message(error));
  }

  /** Returns the library's message, with the text that the keyword demands. */
  private String message(OutputUnit error) {
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
