package io.callboard.pollers;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.pollers.config.SourceReader;
import io.callboard.pollers.model.SourceConfig;
import io.callboard.pollers.source.SourceKind;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * Sources of a cell, the same on every node of it.
 *
 * @param sources their configurations
 * @param kinds kinds of users, beside those that there are
 */
public record SourcesOptions(List<SourceConfig> sources, List<SourceKind> kinds) {
  /** No sources. */
  public static final SourcesOptions NONE = new SourcesOptions(List.of(), List.of());

  /** Copies the lists. */
  public SourcesOptions {
    sources = List.copyOf(sources);
    kinds = List.copyOf(kinds);
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

  private static List<SourceKind> all(List<SourceKind> kinds) {
    List<SourceKind> all = new ArrayList<>(Kinds.BUILT_IN);
    all.addAll(kinds);
    return all;
  }
}
