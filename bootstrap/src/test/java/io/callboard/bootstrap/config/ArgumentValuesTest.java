package io.callboard.bootstrap.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ArgumentValuesTest {
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
