package io.callboard.workflows.actor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BuilderCallTest {
  private final BuilderCall call = new BuilderCall(1);

  @Test
  void aQuestionIsNotAskedAgainWhileItsBuilderHasNotReturned() {
    assertThat(call.asks(1)).as("it waits for a thread").isTrue();
    assertThat(call.asks(2)).isFalse();
    assertThat(call.begins()).isTrue();
    assertThat(call.asks(1)).as("its builder has the thread").isTrue();
    call.returned();
    call.returned();
    assertThat(call.asks(1)).as("its answer was lost").isFalse();
    assertThat(call.begins()).isFalse();
  }

  @Test
  void whatWasGivenBackDoesNotBegin() {
    assertThat(call.givesBack()).isTrue();
    assertThat(call.givesBack()).as("it is answered once").isFalse();
    assertThat(call.begins()).isFalse();
    assertThat(call.asks(1)).as("it may be asked again").isFalse();
  }

  @Test
  void whatHasBegunIsNotGivenBack() {
    assertThat(call.begins()).isTrue();
    assertThat(call.givesBack()).isFalse();
    assertThat(call.asks(1)).isTrue();
  }
}
