package io.callboard.dashboard.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.grid.MissingNode;
import io.callboard.jobs.model.JobHost;
import io.callboard.store.Member;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rows of hosts say no more of a node than the rest of the page does. */
class HostRowsTest {
  private static final JobHost HOST = new JobHost("a", "boot-2", 4, 1, true);
  private static final Member MEMBER = new Member("a", "boot-2", Instant.EPOCH, Map.of());

  private static boolean isLive(MissingNode... missing) {
    return CellModel.host(HOST, List.of(MEMBER), List.of(missing)).path("live").asBoolean();
  }

  /** The gate knows it as a member until its session ends. */
  @Test
  void aHostThatIsSilentOrLostIsNotLive() {
    assertThat(isLive()).isTrue();
    assertThat(isLive(new MissingNode("a", "boot-2", true, null))).isFalse();
    assertThat(isLive(new MissingNode("a", "boot-2", false, Instant.EPOCH))).isFalse();
  }

  @Test
  void aHostThatIsBackIsLive() {
    assertThat(isLive(new MissingNode("a", "boot-1", false, Instant.EPOCH))).isTrue();
    assertThat(isLive(new MissingNode("b", "boot-3", true, null))).isTrue();
  }
}
