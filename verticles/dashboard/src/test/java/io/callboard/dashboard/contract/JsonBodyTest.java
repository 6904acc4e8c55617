package io.callboard.dashboard.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
}
