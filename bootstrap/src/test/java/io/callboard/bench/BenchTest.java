package io.callboard.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class BenchTest {
  private record Outcome(int code, String out, String err) {}

  private static Outcome bench(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream outBefore = System.out;
    PrintStream errBefore = System.err;
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    try {
      int code = Bench.run(arguments);
      return new Outcome(
          code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(outBefore);
      System.setErr(errBefore);
    }
  }

  @Test
  void anUnknownRowIsToldWithTheNearest() {
    Outcome outcome = bench("durable-mailbx");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .isEqualTo(
            "bench: there is no row \"durable-mailbx\"; did you mean \"durable-mailbox\"?"
                + " (see --help)\n");
  }

  @Test
  void anUnknownOptionIsRefused() {
    assertThat(bench("--quik").code()).isEqualTo(2);
  }

  @Test
  void listNamesEveryRowInOneLine() {
    Outcome outcome = bench("--list");
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out().lines().map(line -> line.substring(0, line.indexOf(' '))))
        .containsExactlyElementsOf(Row.all().stream().map(Row::name).toList());
  }

  @Test
  void rowsHaveNamesOfTheirOwn() {
    List<String> names = Row.all().stream().map(Row::name).toList();
    assertThat(names).doesNotHaveDuplicates().allMatch(name -> name.matches("[a-z-]+"));
  }
}
