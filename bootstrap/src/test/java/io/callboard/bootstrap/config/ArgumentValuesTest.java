package io.callboard.bootstrap.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

class ArgumentValuesTest {
  @Command
  static final class Started {
    @Option(names = "--data", defaultValue = "data")
    Path data = Path.of("data");
  }

  /** It would be the working directory. */
  @Test
  void anEmptyPathIsRefused() {
    CommandLine command = new CommandLine(new Started());
    ArgumentValues.registerIn(command);
    assertThatThrownBy(() -> command.parseArgs("--data", ""))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("'--data'")
        .hasMessageEndingWith("it is empty; name a file or directory, such as ./data");
  }

  /** As Java says it where the locale is C. */
  @Test
  void aPathThatTheLocaleCannotHaveIsToldTheRemedy() {
    assertThat(
            ArgumentValues.wrongPath(
                "d\u00e4ta", "Malformed input or input contains unmappable characters"))
        .isEqualTo(
            "'d\u00e4ta' has characters that are not in the encoding of this locale: start it with LC_ALL=C.UTF-8");
  }
}
