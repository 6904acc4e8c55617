package io.callboard.bootstrap.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.bootstrap.NodeCommand;
import io.callboard.dashboard.Setting;
import io.callboard.pollers.SourcesOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class EffectiveSettingsTest {
  @TempDir Path directory;

  private static List<Setting> of(Map<String, String> environment, String... arguments) {
    ConfigSources sources = ConfigSources.of(arguments, environment);
    CommandLine command = new CommandLine(new NodeCommand());
    command.setDefaultValueProvider(sources);
    command.parseArgs(arguments);
    return EffectiveSettings.of(command, sources, SourcesOptions.NONE, Map.of("name", "this-one"));
  }

  private static Setting one(List<Setting> all, String name) {
    return all.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no %s in %s".formatted(name, all)));
  }

  @Test
  void eachComesFromTheFirstPlaceThatHasIt() throws IOException {
    Path file = directory.resolve("node.yaml");
    Files.writeString(file, "slots: 3\ncell: stage\nhttp-port: 1\nhttp: {readOnly: true}\n");
    List<Setting> all =
        of(
            Map.of("CALLBOARD_CELL", "dress", "CALLBOARD_HTTP_PORT", "2"),
            "--conf",
            file.toString(),
            "--http-port",
            "3");
    assertThat(all)
        .contains(
            new Setting("http-port", "3", "the command line"),
            new Setting("cell", "dress", "the environment, CALLBOARD_CELL"),
            new Setting("slots", "3", "the configuration file"),
            new Setting("session-timeout", "PT10S", "default"),
            new Setting("name", "this-one", "default"),
            new Setting("http.readOnly", "true", "the configuration file"),
            new Setting("http.auth", "none", "default"));
    assertThat(all.stream().map(Setting::name)).containsAll(ConfigSources.KEYS);
  }

  @Test
  void noSecretIsShown() {
    List<Setting> all =
        of(
            Map.of(
                "CALLBOARD_ARCHIVE",
                "jdbc:postgresql://db/x?user=callboard&password=hunter2&sslmode=require",
                AccessOptions.AUTH_VARIABLE,
                "callboard:hunter2"));
    assertThat(all.toString()).doesNotContain("hunter2");
    assertThat(one(all, "archive").value()).isEqualTo("jdbc:postgresql://db/x?***");
    assertThat(one(all, "zookeeper-auth").value()).isEqualTo("***");
  }
}
