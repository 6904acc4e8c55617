package io.callboard.bootstrap.config;

import io.callboard.dashboard.Setting;
import io.callboard.part.PartSettings;
import io.callboard.pollers.SourcesOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Settings of a node as they take effect, each with where it comes from, without secrets. */
public final class EffectiveSettings {
  private static final String FILE = "the configuration file";

  private final CommandLine command;
  private final ConfigSources sources;
  private final List<Setting> all = new ArrayList<>();

  private EffectiveSettings(CommandLine command, ConfigSources sources) {
    this.command = command;
    this.sources = sources;
  }

  /**
   * Returns them, those that are options first.
   *
   * @param command the command that runs the node, parsed
   * @param derived values that follow from others where an option is not given, by name
   */
  public static List<Setting> of(
      CommandLine command,
      ConfigSources sources,
      SourcesOptions messages,
      Map<String, String> derived) {
    EffectiveSettings settings = new EffectiveSettings(command, sources);
    settings.options(derived);
    settings.secretOfZooKeeper();
    settings.http();
    sources
        .zones()
        .forEach((name, zone) -> settings.add("zones." + name, zone.kind().label(), FILE));
    messages
        .sources()
        .forEach(source -> settings.add("sources." + source.name(), source.kind(), FILE));
    return List.copyOf(settings.all);
  }

  private void options(Map<String, String> derived) {
    for (String key : ConfigSources.KEYS) {
      OptionSpec option = command.getCommandSpec().findOption("--" + key);
      if (option != null) {
        Object value = option.getValue();
        String given = value == null ? derived.getOrDefault(key, "none") : String.valueOf(value);
        add(key, given, source(option, key));
      }
    }
  }

  private String source(OptionSpec option, String key) {
    if (command.getParseResult() != null && command.getParseResult().hasMatchedOption(option)) {
      return "the command line";
    } else if (sources.environment().containsKey(EnvironmentVariables.of(key))) {
      return "the environment, " + EnvironmentVariables.of(key);
    }
    return sources.isInFile(key) ? FILE : "default";
  }

  private void secretOfZooKeeper() {
    if (sources.environment().containsKey(AccessOptions.AUTH_VARIABLE)) {
      add("zookeeper-auth", PartSettings.MASK, "the environment, " + AccessOptions.AUTH_VARIABLE);
    }
  }

  private void http() {
    HttpSettings http = sources.http();
    String source = http.equals(HttpSettings.NONE) ? "default" : FILE;
    add("http.readOnly", String.valueOf(http.readOnly()), source);
    add("http.names", http.names().isEmpty() ? "none" : String.join(", ", http.names()), source);
    http.auth()
        .ifPresentOrElse(
            auth -> {
              auth.users().ifPresent(users -> add("http.auth.users", users.toString(), FILE));
              auth.tokens()
                  .ifPresent(tokens -> add("http.auth.tokens.issuer", tokens.issuer(), FILE));
            },
            () -> add("http.auth", "none", "default"));
  }

  private void add(String name, @Nullable String value, String source) {
    all.add(new Setting(name, PartSettings.masked(String.valueOf(value)), source));
  }
}
