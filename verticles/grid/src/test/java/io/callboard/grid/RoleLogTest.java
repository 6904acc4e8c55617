package io.callboard.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.placement.VacancyReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RoleLogTest {
  @Test
  void theFirstHolderOfARoleHasNoPredecessor() {
    assertThat(RoleLog.before(VacancyReason.NONE_BEFORE, "")).isEqualTo("it had no holder before");
  }

  @ParameterizedTest
  @EnumSource(names = {"GIVEN_BACK", "PROCESS_GONE", "SILENT", "SESSION_ENDED"})
  void theHolderBeforeIsNamedAndTheCauseIsASentence(VacancyReason reason) {
    assertThat(RoleLog.before(reason, "node-a")).contains("node-a").doesNotContain(reason.name());
  }
}
