package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OpenFilesTest {
  @Test
  void aLimitThatIsTooLowForANodeIsNamed() {
    assertThatThrownBy(() -> Node.checkOpenFiles(40))
        .hasMessageContainingAll("40 files", "64 at least", "ulimit -n");
    Node.checkOpenFiles(64);
  }
}
