package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused of {@code callboard demo articles}, before anything is started. */
class ArticlesCommandTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--articles 0 | --articles is 1 to 10000, not 0",
        "--via amqp | --via is one of [directory, kafka, redis-stream], not amqp",
        "--via kafka | --via kafka needs --url, the address of the server",
        "--url redis://127.0.0.1:1 | --url belongs to --via kafka or redis-stream",
        "--documents none | --documents none is no directory",
      })
  void wrongOptionsAreNamed(String options, String named) {
    CommandRun run = CommandRun.of(("demo articles " + options).split(" "));
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains(named);
  }
}
