package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** Output and exit code of a command that ran in this process. */
record CommandRun(int code, String out, String err) {
  static CommandRun of(String... arguments) {
    return of(List.of(arguments), Map.of());
  }

  static CommandRun of(List<String> arguments, Map<String, String> environment) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        Main.commands().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    int code = Main.run(command, arguments.toArray(String[]::new), environment);
    return new CommandRun(code, out.toString(), err.toString());
  }

  /**
   * Asserts that the command failed with one line, which contains {@code message}, and printed
   * nothing else.
   */
  void failed(int exitCode, String message) {
    assertThat(err).contains(message).doesNotContain("\tat ", "Exception");
    assertThat(err.lines()).hasSize(1);
    assertThat(out).isEmpty();
    assertThat(code).isEqualTo(exitCode);
  }
}
