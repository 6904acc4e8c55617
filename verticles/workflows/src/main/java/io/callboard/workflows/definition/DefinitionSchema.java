package io.callboard.workflows.definition;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * JSON Schema (draft 2020-12) of definitions, for editors and other programs. It accepts each
 * definition that {@link DefinitionReader} accepts, and refuses what a schema can refuse.
 */
public final class DefinitionSchema {
  private static final String RESOURCE = "/io/callboard/workflows/definition.schema.json";

  private DefinitionSchema() {}

  /** Returns the schema as JSON in UTF-8; blocks shortly. */
  public static byte[] read() {
    try (InputStream in = DefinitionSchema.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + RESOURCE + " is missing");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
