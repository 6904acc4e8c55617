package io.callboard.bootstrap.client;

import io.callboard.codecs.CodecException;
import io.callboard.codecs.internal.text.Utf8;
import io.callboard.node.internal.data.FileFailure;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.DefinitionReader;
import io.callboard.workflows.definition.PlacedDefect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * File that holds a definition of a workflow, in YAML or JSON.
 *
 * @param name name of the file, as it was given
 * @param text its text
 * @param read what is read of it
 */
record DefinitionFile(String name, String text, DefinitionReader.Result read) {
  /** Returns whether an argument names a file, not a definition. */
  static boolean isMeant(String argument) {
    String lower = argument.toLowerCase(Locale.ROOT);
    return lower.contains("/")
        || lower.endsWith(".yaml")
        || lower.endsWith(".yml")
        || lower.endsWith(".json");
  }

  /**
   * Reads a file.
   *
   * @throws IOException if it cannot be read; the message is one line
   */
  static DefinitionFile read(String name) throws IOException {
    String text;
    try {
      text = Utf8.text(name, Files.readAllBytes(Path.of(name)));
    } catch (CodecException e) {
      throw new IOException(e.getMessage(), e);
    } catch (NoSuchFileException e) {
      throw new IOException("there is no file " + name, e);
    } catch (IOException e) {
      throw new IOException("%s cannot be read: %s".formatted(name, FileFailure.reason(e)), e);
    }
    return new DefinitionFile(
        name, text, isJson(name) ? DefinitionReader.json(text) : DefinitionReader.yaml(text));
  }

  private static boolean isJson(String name) {
    return name.toLowerCase(Locale.ROOT).endsWith(".json");
  }

  /** Returns a line for each defect, as compilers write it; none if there are none. */
  List<String> defects() {
    return read.defects().stream().map(this::line).toList();
  }

  private String line(PlacedDefect each) {
    return "%s:%d:%d: %s".formatted(name, each.line(), each.column(), each.defect());
  }

  /** Returns the definition; only of a file without defects. */
  CheckedDefinition definition() {
    return read.definition().orElseThrow(() -> new IllegalStateException(name + " has defects"));
  }

  /** Returns its path below the API. */
  String resource() {
    return "/workflow-definitions/" + ClientCommand.encoded(definition().definition().name());
  }

  /** Returns its media type. */
  String mediaType() {
    return isJson(name) ? "application/json" : "application/yaml";
  }
}
