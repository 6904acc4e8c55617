package io.callboard.workflows.actor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BuilderCallTest {
  private final BuilderCall call = new BuilderCall();

  @Test
  void aQuestionIsNotAskedAgainWhileItsBuilderHasNotReturned() {
    assertThat(call.begins(1)).isTrue();
    assertThat(call.begins(1)).as("its builder has the thread").isFalse();
    call.returned(1);
    assertThat(call.begins(1)).as("its answer was lost").isTrue();
  }

  @Test
  void theReturnOfAnEarlierQuestionIsNotThatOfTheNextOne() {
    assertThat(call.begins(1)).isTrue();
    assertThat(call.begins(2)).isTrue();
    call.returned(1);
    assertThat(call.begins(2)).isFalse();
    call.returned(2);
    call.returned(2);
    assertThat(call.begins(2)).isTrue();
  }
}
