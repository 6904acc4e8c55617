package io.callboard.bootstrap.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.pollers.SourcesOptions;
import io.callboard.pollers.config.ConfigurationFile;
import io.callboard.pollers.model.PollersException;
import io.callboard.pollers.source.SourceKind;
import io.callboard.zone.ZoneOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Content of a configuration file. Read strictly: an unknown or repeated key, a value of the wrong
 * kind and anything after the end are refused by name.
 *
 * @param values values of the keys that are options, too
 * @param http settings of HTTP that are no options
 * @param sources reads the sources, given the kinds that the node has besides its own, which
 *     creates the first logger: to be called after the log is configured; fails with {@link
 *     StartupFailure}, with one line
 * @param wrong what is wrong with it, in one line; null if nothing
 */
record ConfFile(
    Map<String, String> values,
    Map<String, ZoneOptions> zones,
    HttpSettings http,
    Function<List<SourceKind>, SourcesOptions> sources,
    @Nullable StartupFailure wrong) {
  static final ConfFile NONE =
      new ConfFile(Map.of(), Map.of(), HttpSettings.NONE, kinds -> SourcesOptions.NONE, null);

  /**
   * Reads a file as far as its keys can be told apart, whatever is {@link #wrong} with some.
   *
   * @throws StartupFailure with one line
   */
  static ConfFile read(Path path) {
    JsonNode tree = tree(path);
    if (tree.isMissingNode() || tree.isNull()) {
      return NONE;
    }
    if (!tree.isObject()) {
      throw StartupFailure.usage("%s must hold keys and values".formatted(path));
    }
    Map<String, String> values = new LinkedHashMap<>();
    Map<String, ZoneOptions> zones = new TreeMap<>();
    HttpSettings http = HttpSettings.NONE;
    Function<List<SourceKind>, SourcesOptions> sources = NONE.sources();
    List<StartupFailure> wrong = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : tree.properties()) {
      String key = entry.getKey();
      JsonNode value = entry.getValue();
      try {
        if (key.equals(ConfZones.KEY)) {
          zones.putAll(ConfZones.read(path.toString(), value));
        } else if (key.equals(HttpSettings.KEY)) {
          http = HttpSettings.read(path.toString(), value);
        } else if (key.equals(SourcesOptions.KEY)) {
          sources = kinds -> sources(path, value, kinds);
        } else if (!ConfigSources.KEYS.contains(key)) {
          throw StartupFailure.unknown(path + ": unknown key", key, ConfigSources.FILE_KEYS);
        } else if (!value.isValueNode()) {
          throw StartupFailure.usage("%s: %s takes one value".formatted(path, key));
        } else if (!value.isNull()) {
          values.put(key, value.asText());
        }
      } catch (StartupFailure e) {
        wrong.add(e);
      }
    }
    return new ConfFile(
        values,
        zones,
        http,
        sources,
        wrong.isEmpty() ? null : all(wrong, values.containsKey("app") ? NONE.sources() : sources));
  }

  /** Returns the failure of a file in which more than the sources may be wrong. */
  private static StartupFailure all(
      List<StartupFailure> wrong, Function<List<SourceKind>, SourcesOptions> sources) {
    try {
      var unused = sources.apply(List.of());
    } catch (StartupFailure e) {
      wrong.add(e);
    }
    return StartupFailure.usage(
        wrong.stream().map(StartupFailure::getMessage).collect(Collectors.joining("; and ")));
  }

  /** Returns the sources; none if they are left empty. */
  private static SourcesOptions sources(Path path, JsonNode value, List<SourceKind> kinds) {
    if (value.isNull() || (value.isTextual() && value.asText().isEmpty())) { // empty in YAML
      return SourcesOptions.NONE;
    }
    try {
      return SourcesOptions.of(value, kinds);
    } catch (PollersException e) {
      throw StartupFailure.sources(path.toString(), e, "");
    } catch (IllegalArgumentException e) { // two kinds of one name
      throw StartupFailure.usage(String.valueOf(e.getMessage()));
    }
  }

  private static JsonNode tree(Path path) {
    try {
      return ConfigurationFile.read(path);
    } catch (IllegalArgumentException e) {
      throw StartupFailure.usage(String.valueOf(e.getMessage()));
    }
  }
}
