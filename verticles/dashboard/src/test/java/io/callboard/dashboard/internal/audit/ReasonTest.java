package io.callboard.dashboard.internal.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is kept of the reason that a caller gives. */
class ReasonTest {
  @Test
  void aReasonIsOneLineOfPlainText() {
    assertThat(Reason.of(null)).isEmpty();
    assertThat(Reason.of("disk %C3%BCber%0Alimit")).isEqualTo("disk über limit");
    assertThat(Reason.of("100% full")).isEqualTo("100% full");
    assertThat(Reason.of("x".repeat(300))).hasSize(Reason.MOST + 1).endsWith("…");
  }

  @Test
  void aReasonIsKeptWithoutWhatLooksLikeASecret() {
    assertThat(Reason.of("new --password=hunter2 set")).isEqualTo("new --password=[masked] set");
    assertThat(Reason.of("see https://ann:s3cr3t@host/%20")).doesNotContain("s3cr3t");
    assertThat(Reason.of("%2D%2Dtoken%3Ds3cr3t")).isEqualTo("--token=[masked]");
  }
}
