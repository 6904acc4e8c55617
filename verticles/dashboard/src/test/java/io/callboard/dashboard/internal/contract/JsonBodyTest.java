package io.callboard.dashboard.internal.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonBodyTest {
  @ParameterizedTest
  @ValueSource(strings = {"{\"n\":1e99999999999}", "[-1.5E-99999999999]"})
  void aNumberWithTooLargeAnExponentIsRefused(String body) {
    assertThatThrownBy(() -> JsonBody.parse(body.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> assertThat(e.problem().toString()).contains("exponent is too large"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "x-UTF-16LE-BOM"})
  void aBodyInUtf16IsRefusedWithTheRightEncoding(String charset) {
    assertThatThrownBy(() -> JsonBody.parse("{\"a\":1}".getBytes(Charset.forName(charset))))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e ->
                assertThat(e.problem().toString())
                    .contains("the body cannot be read: it is UTF-16, and must be UTF-8"));
  }
}
