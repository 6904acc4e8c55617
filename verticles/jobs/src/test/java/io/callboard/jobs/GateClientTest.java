package io.callboard.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.TypePause;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What of who pauses a type, and why, is refused before the gate is asked. */
class GateClientTest {
  private static final String MOST = "x".repeat(TypePause.MOST_TEXT);

  @Test
  void aTextThatIsTooLongIsNamed() {
    assertThat(GateClient.tooLong(null, null)).isNull();
    assertThat(GateClient.tooLong(MOST, MOST)).isNull();
    JobException who = Objects.requireNonNull(GateClient.tooLong(MOST + "x", null));
    assertThat(who.pointer()).isEqualTo("/by");
    assertThat(who).hasMessage("who pauses a type has up to 1000 characters, not 1001");
    JobException why = Objects.requireNonNull(GateClient.tooLong("anna", MOST + "xx"));
    assertThat(why.pointer()).isEqualTo("/reason");
    assertThat(why).hasMessage("why a type is paused has up to 1000 characters, not 1002");
  }
}
