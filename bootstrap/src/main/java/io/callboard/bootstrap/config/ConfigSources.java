package io.callboard.bootstrap.config;

import io.callboard.pollers.SourcesOptions;
import io.callboard.pollers.source.SourceKind;
import io.callboard.zone.ZoneOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Sources of settings that are not on the command line: the environment ({@code
 * CALLBOARD_HTTP_PORT} for {@code --http-port}), then the configuration file (JSON or YAML, with
 * the same names).
 */
public final class ConfigSources implements IDefaultValueProvider {
  /** Settings of a node, besides its zones and its sources. */
  static final List<String> KEYS =
      List.of(
          "name",
          "app",
          "machine",
          "labels",
          "http-host",
          "http-port",
          "insecure",
          "data",
          "archive",
          "jobs-kept",
          "successes-kept",
          "failures-kept",
          "files-kept",
          "logs-kept",
          "instances-kept",
          "instances-kept-for",
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
          "start-timeout",
          "stop-timeout",
          "slots",
          "cluster-host",
          "cluster-port",
          "log-format");

  /** Keys that the configuration file may contain. */
  static final List<String> FILE_KEYS =
      Stream.concat(KEYS.stream(), Stream.of(ConfZones.KEY, HttpSettings.KEY, SourcesOptions.KEY))
          .toList();

  /**
   * Settings that the environment may contain, including the address of a node and the login for
   * the operator's commands.
   */
  static final List<String> ENVIRONMENT_KEYS =
      Stream.concat(KEYS.stream(), Stream.of("url", "user", "password-file", "token-file"))
          .toList();

  private final Map<String, String> environment;
  private final ConfFile file;
  private final String fileName;

  private ConfigSources(Map<String, String> environment, ConfFile file, String fileName) {
    this.environment = environment;
    this.file = file;
    this.fileName = fileName;
  }

  /**
   * Returns the sources, after reading the file that the arguments or the environment name; refuses
   * unknown variables. What else is {@link #wrong} with the file is not thrown, so that wrong
   * values beside it can be told with it.
   */
  public static ConfigSources of(String[] arguments, Map<String, String> environment) {
    EnvironmentVariables.check(environment);
    String conf = environment.get(EnvironmentVariables.CONF);
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i].startsWith("--conf=")) {
        conf = arguments[i].substring("--conf=".length());
      } else if (arguments[i].equals("--conf") && i + 1 < arguments.length) {
        conf = arguments[i + 1];
      } else if (arguments[i].equals("--")) {
        break;
      }
    }
    ConfFile file = conf == null ? ConfFile.NONE : ConfFile.read(Path.of(conf));
    return new ConfigSources(environment, file, String.valueOf(conf));
  }

  /** Returns what is wrong with the configuration file, besides values of options. */
  public Optional<StartupFailure> wrong() {
    return Optional.ofNullable(file.wrong());
  }

  Map<String, String> environment() {
    return environment;
  }

  /** Returns whether the configuration file has that setting. */
  boolean isInFile(String key) {
    return file.values().containsKey(key);
  }

  /** Returns the scheduling zones of the configuration file. */
  public Map<String, ZoneOptions> zones() {
    return file.zones();
  }

  /** Returns the settings of HTTP of the configuration file that are no options. */
  public HttpSettings http() {
    return file.http();
  }

  /**
   * Returns the sources of messages of the configuration file. Creates the first logger, so the log
   * is to be configured before.
   *
   * @param kinds kinds that the node has besides its own
   */
  public SourcesOptions messageSources(List<SourceKind> kinds) {
    return file.sources().apply(kinds);
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option)) {
      return null;
    }
    String key = option.longestName().replaceFirst("^--", "");
    if (!ENVIRONMENT_KEYS.contains(key)) {
      return null;
    }
    String value = environment.get(EnvironmentVariables.of(key));
    return value != null ? value : file.values().get(key);
  }

  /** Returns where the wrong value came from; empty if from the command line. */
  public static String sourceOf(ParameterException e) {
    if (!(e.getArgSpec() instanceof OptionSpec option)
        || !(e.getCommandLine().getDefaultValueProvider() instanceof ConfigSources configSources)) {
      return "";
    }
    String key = option.longestName().replaceFirst("^--", "");
    boolean typed =
        e.getCommandLine().getParseResult() != null
            && e.getCommandLine().getParseResult().hasMatchedOption(option);
    if (typed) {
      return "";
    }
    if (configSources.environment.containsKey(EnvironmentVariables.of(key))) {
      return " (from the environment, %s)".formatted(EnvironmentVariables.of(key));
    }
    return configSources.file.values().containsKey(key)
        ? " (from %s)".formatted(configSources.fileName)
        : "";
  }
}
