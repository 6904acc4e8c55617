package io.callboard.bootstrap.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.bootstrap.NodeCommand;
import io.callboard.jobs.internal.process.ProcessRunner;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@Tag("real")
class EnvironmentVariablesTest {
  @ParameterizedTest
  @CsvSource({
    "CALLBOARD_HTTP_PROT, CALLBOARD_HTTP_PORT",
    "CALLBOARD_ZOOKEPER, CALLBOARD_ZOOKEEPER",
    "CALLBOARD_ZOOKEEPER_AUHT, CALLBOARD_ZOOKEEPER_AUTH",
    "CALLBOARD_CONFIG, CALLBOARD_CONF",
    "CALLBOARD_HTTP_PORTS, CALLBOARD_HTTP_PORT",
  })
  void aMisspeltVariableIsRefused(String given, String meant) {
    assertThatThrownBy(() -> ConfigSources.of(new String[0], Map.of("PATH", "/bin", given, "1")))
        .isInstanceOfSatisfying(
            StartupFailure.class, e -> assertThat(e.exitCode()).isEqualTo(StartupFailure.USAGE))
        .hasMessage(
            "the environment has an unknown variable \"%s\"; did you mean \"%s\"?", given, meant);
  }

  @Test
  void aVariableWithoutANeighbourIsToldAllThatThereAre() {
    assertThatThrownBy(() -> EnvironmentVariables.check(Map.of("CALLBOARD_QQQQQQQQQQQQQQQQ", "")))
        .hasMessageContaining("; there are CALLBOARD_APP, CALLBOARD_ARCHIVE, CALLBOARD_CELL, ")
        .hasMessageContaining("CALLBOARD_URL");
  }

  @Test
  void eachOptionOfANodeIsAKeyAndAVariable() {
    assertThat(new CommandLine(new NodeCommand()).getCommandSpec().options())
        .map(option -> option.longestName().substring(2))
        .filteredOn(key -> !Set.of("help", "version", "conf", "new-cell").contains(key))
        .isSubsetOf(ConfigSources.KEYS);
  }

  @Test
  void theVariablesOfAJobsProcessStay() {
    assertThat(ProcessRunner.VARIABLES)
        .contains("CALLBOARD_EPOCH", "CALLBOARD_JOB_ID", "CALLBOARD_CHECKPOINT")
        .allSatisfy(
            name ->
                assertThatCode(() -> EnvironmentVariables.check(Map.of(name, "1")))
                    .doesNotThrowAnyException());
  }

  @ParameterizedTest
  @CsvSource({
    "CALLBOARD_SERVICE_HOST, 10.0.0.1",
    "CALLBOARD_SERVICE_PORT, 8080",
    "CALLBOARD_NODE_SERVICE_PORT_HTTP, 8080",
    "CALLBOARD_PORT, tcp://10.0.0.1:8080",
    "CALLBOARD_PORT_8080_TCP_ADDR, 10.0.0.1",
    "CALLBOARD_URL, http://127.0.0.1:1",
    "CALLBOARD_CONF, x.yaml",
    "CALLBOARD_ZOOKEEPER_AUTH, a:b",
    "CALLBOARDS, x",
  })
  void otherNeighboursStay(String name, String value) {
    assertThatCode(() -> EnvironmentVariables.check(Map.of(name, value)))
        .doesNotThrowAnyException();
  }

  @Test
  void aPortThatIsNoServicesIsRefused() {
    assertThatThrownBy(() -> EnvironmentVariables.check(Map.of("CALLBOARD_PORT", "8080")))
        .isInstanceOf(StartupFailure.class);
  }
}
