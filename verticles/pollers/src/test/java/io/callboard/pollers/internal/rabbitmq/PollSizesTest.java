package io.callboard.pollers.internal.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PollSizesTest {
  private final PollSizes sizes = new PollSizes();

  @Test
  void asksForMoreWhileMessagesAreSmall() {
    assertThat(sizes.next(10_000)).as("nobody knows their size yet").isEqualTo(1);
    sizes.took(0, 0);
    assertThat(sizes.next(10_000)).as("there were no more").isEqualTo(PollSizes.FIRST);
    for (int i = 0; i < 20; i++) {
      sizes.took(sizes.next(10_000), 1_000);
    }
    assertThat(sizes.next(10_000)).isEqualTo(PollSizes.MOST);
  }

  @Test
  void asksForFewerWhileMessagesAreLarge() {
    for (int i = 0; i < 4; i++) {
      sizes.took(sizes.next(10_000), 1_000);
    }
    assertThat(sizes.next(10_000)).isEqualTo(16);
    sizes.took(16, 4 * PollSizes.BUDGET);
    assertThat(sizes.next(10_000)).isEqualTo(4);
    sizes.took(4, 40 * PollSizes.BUDGET);
    assertThat(sizes.next(10_000)).isEqualTo(1);
    sizes.took(1, 10 * PollSizes.BUDGET);
    assertThat(sizes.next(10_000)).isEqualTo(1);
    sizes.took(1, 1);
    assertThat(sizes.next(10_000)).isEqualTo(2);
  }
}
