package io.callboard.pollers;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.fields.FieldDefect;
import io.callboard.codecs.fields.Fields;
import io.callboard.pollers.config.ConfigurationFile;
import io.callboard.pollers.config.SourceReader;
import io.callboard.pollers.model.PollersException;
import io.callboard.pollers.model.SourceConfig;
import io.callboard.pollers.source.SourceKind;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Sources of a cell, the same on every node of it.
 *
 * @param sources their configurations
 * @param kinds kinds of users, beside those that there are
 */
public record SourcesOptions(List<SourceConfig> sources, List<SourceKind> kinds) {
  /** No sources. */
  public static final SourcesOptions NONE = new SourcesOptions(List.of(), List.of());

  /** Key of a configuration file below which the sources are. */
  public static final String KEY = "sources";

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if two kinds have one name
   */
  public SourcesOptions {
    sources = List.copyOf(sources);
    kinds = List.copyOf(kinds);
    Map<String, SourceKind> byName = new HashMap<>();
    for (SourceKind kind : kinds) {
      SourceKind other = byName.put(kind.name(), kind);
      if (other != null) {
        throw new IllegalArgumentException(
            "two kinds of sources are called %s, of %s and %s: leave one out"
                .formatted(kind.name(), other.getClass().getName(), kind.getClass().getName()));
      }
    }
  }

  /**
   * Reads the configurations from an object with a source under each name.
   *
   * @param kinds kinds of users
   * @throws io.callboard.pollers.model.PollersException of code {@code INVALID} with all defects
   */
  public static SourcesOptions of(JsonObject sources, List<SourceKind> kinds) {
    return new SourcesOptions(SourceReader.read(sources, all(kinds)), kinds);
  }

  /** Reads the configurations like {@link #of(JsonObject, List)}. */
  public static SourcesOptions of(JsonNode sources, List<SourceKind> kinds) {
    return new SourcesOptions(SourceReader.read(sources, all(kinds)), kinds);
  }

  /**
   * Reads the configurations below the key {@code sources} of a file, JSON or YAML, as the
   * configuration file of {@code callboard} has them. Blocks.
   *
   * @param kinds kinds of users
   * @throws IllegalArgumentException if the file cannot be read, has another key, or sources are
   *     defective: with one line that names the file and all defects
   */
  public static SourcesOptions read(Path file, List<SourceKind> kinds) {
    JsonNode tree = ConfigurationFile.read(file);
    List<FieldDefect> others = new ArrayList<>();
    new Fields(tree, "", others::add).noOthersThan(List.of(KEY));
    if (tree.isObject() && !others.isEmpty()) {
      throw new IllegalArgumentException("%s: %s".formatted(file, FieldDefect.line(others)));
    }
    if (!tree.path(KEY).isObject()) {
      throw new IllegalArgumentException(
          "%s must have the key %s, with a source under each name".formatted(file, KEY));
    }
    try {
      return of(tree.path(KEY), kinds);
    } catch (PollersException e) {
      throw new IllegalArgumentException(defects(file.toString(), e), e);
    }
  }

  /** Returns what is wrong with the sources of a configuration file, in one line. */
  public static String defects(String file, PollersException e) {
    return e.defects().stream()
        .map(each -> "/%s%s: %s".formatted(KEY, each.pointer(), each.reason()))
        .collect(Collectors.joining("; ", file + ": ", ""));
  }

  private static List<SourceKind> all(List<SourceKind> kinds) {
    List<SourceKind> all = new ArrayList<>(SourceKinds.BUILT_IN);
    all.addAll(kinds);
    return all;
  }
}
