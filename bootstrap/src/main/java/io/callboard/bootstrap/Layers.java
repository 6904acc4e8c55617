package io.callboard.bootstrap;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.callboard.codecs.Nearest;
import io.callboard.zone.ZoneOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Where the settings come from that are not on the command line: the environment ({@code
 * CALLBOARD_HTTP_PORT} for {@code --http-port}), then the configuration file (JSON or YAML, the
 * same names).
 */
final class Layers implements IDefaultValueProvider {
  /** What a node can be configured with, besides its zones. */
  static final List<String> KEYS =
      List.of(
          "name",
          "http-host",
          "http-port",
          "insecure",
          "data",
          "zookeeper",
          "zookeeper-port",
          "zookeeper-auth-file",
          "zookeeper-secure",
          "zookeeper-trust-store",
          "zookeeper-trust-store-password-file",
          "zookeeper-key-store",
          "zookeeper-key-store-password-file",
          "cell",
          "session-timeout",
          "slots",
          "cluster-host",
          "log-format");

  private static final String ZONES = "zones";
  private static final String PREFIX = "CALLBOARD_";

  private final Map<String, String> environment;
  private final Map<String, String> file;
  private final Map<String, ZoneOptions> zones;
  private final String fileName;

  private Layers(
      Map<String, String> environment,
      Map<String, String> file,
      Map<String, ZoneOptions> zones,
      String fileName) {
    this.environment = environment;
    this.file = file;
    this.zones = zones;
    this.fileName = fileName;
  }

  /** Reads the file that the arguments or the environment name; refuses what it does not know. */
  static Layers of(String[] arguments, Map<String, String> environment) {
    String conf = environment.get(PREFIX + "CONF");
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i].startsWith("--conf=")) {
        conf = arguments[i].substring("--conf=".length());
      } else if (arguments[i].equals("--conf") && i + 1 < arguments.length) {
        conf = arguments[i + 1];
      } else if (arguments[i].equals("--")) {
        break;
      }
    }
    Map<String, String> file = new LinkedHashMap<>();
    Map<String, ZoneOptions> zones = new TreeMap<>();
    if (conf != null) {
      read(Path.of(conf), file, zones);
    }
    return new Layers(environment, file, zones, String.valueOf(conf));
  }

  private static void read(Path path, Map<String, String> file, Map<String, ZoneOptions> zones) {
    JsonNode tree;
    try {
      tree = new YAMLMapper().readTree(Files.readString(path)); // JSON is YAML, too
    } catch (NoSuchFileException e) {
      throw Refusal.usage("the configuration file %s does not exist".formatted(path));
    } catch (JsonProcessingException e) {
      throw Refusal.usage(
          "%s:%d cannot be read: %s"
              .formatted(
                  path,
                  e.getLocation() == null ? 0 : e.getLocation().getLineNr(),
                  e.getOriginalMessage()));
    } catch (IOException e) {
      throw Refusal.usage("%s cannot be read: %s".formatted(path, e));
    }
    if (tree.isMissingNode() || tree.isNull()) {
      return;
    }
    if (!tree.isObject()) {
      throw Refusal.usage("%s must hold keys and values".formatted(path));
    }
    tree.fields()
        .forEachRemaining(
            entry -> {
              if (entry.getKey().equals(ZONES)) {
                zones(path, entry.getValue(), zones);
              } else if (!KEYS.contains(entry.getKey())) {
                throw unknown(path + ": unknown key", entry.getKey(), KEYS);
              } else if (!entry.getValue().isValueNode()) {
                throw Refusal.usage("%s: %s takes one value".formatted(path, entry.getKey()));
              } else if (!entry.getValue().isNull()) {
                file.put(entry.getKey(), entry.getValue().asText());
              }
            });
  }

  static void zones(Object where, JsonNode tree, Map<String, ZoneOptions> zones) {
    tree.fields()
        .forEachRemaining(
            entry -> {
              String name = entry.getKey();
              entry
                  .getValue()
                  .fieldNames()
                  .forEachRemaining(
                      key -> {
                        if (!key.equals("kind") && !key.equals("size")) {
                          throw unknown(
                              "%s: zone %s: unknown key".formatted(where, name),
                              key,
                              List.of("kind", "size"));
                        }
                      });
              zones.put(name, zone(where, name, entry.getValue()));
            });
  }

  private static ZoneOptions zone(Object where, String name, JsonNode zone) {
    String kind = zone.path("kind").asText("fixed");
    for (ZoneOptions.Kind known : ZoneOptions.Kind.values()) {
      if (known.label().equals(kind)) {
        try {
          return new ZoneOptions(known, zone.path("size").asInt(0));
        } catch (IllegalArgumentException e) {
          throw Refusal.usage("%s: zone %s: %s".formatted(where, name, e.getMessage()));
        }
      }
    }
    throw Refusal.usage(
        "%s: zone %s: there is no kind \"%s\"; there are event-loop and fixed"
            .formatted(where, name, kind));
  }

  private static Refusal unknown(String what, String given, List<String> known) {
    String hint =
        Nearest.of(given, known)
            .map(near -> "did you mean \"%s\"?".formatted(near))
            .orElse("there are " + String.join(", ", known));
    return Refusal.usage("%s \"%s\"; %s".formatted(what, given, hint));
  }

  Map<String, String> environment() {
    return environment;
  }

  Map<String, ZoneOptions> zones() {
    return zones;
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option)) {
      return null;
    }
    String key = option.longestName().replaceFirst("^--", "");
    if (!KEYS.contains(key) && !key.equals("url")) {
      return null;
    }
    String value = environment.get(variable(key));
    return value != null ? value : file.get(key);
  }

  private static String variable(String key) {
    return PREFIX + key.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /** Where the value at fault came from; empty if from the command line. */
  static String sourceOf(ParameterException e) {
    if (!(e.getArgSpec() instanceof OptionSpec option)
        || !(e.getCommandLine().getDefaultValueProvider() instanceof Layers layers)) {
      return "";
    }
    String key = option.longestName().replaceFirst("^--", "");
    boolean typed =
        e.getCommandLine().getParseResult() != null
            && e.getCommandLine().getParseResult().hasMatchedOption(option);
    if (typed) {
      return "";
    }
    if (layers.environment.containsKey(variable(key))) {
      return " (from the environment, %s)".formatted(variable(key));
    }
    return layers.file.containsKey(key) ? " (from %s)".formatted(layers.fileName) : "";
  }
}
