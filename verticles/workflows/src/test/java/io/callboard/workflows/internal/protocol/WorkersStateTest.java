package io.callboard.workflows.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is durable of work pulling, whatever order the requests of a desk come in. */
class WorkersStateTest {
  private static final WorkerId FIRST = new WorkerId("one", "boot", 1);
  private static final WorkerId SECOND = new WorkerId("one", "boot", 2);

  private final WorkersState opened = WorkersState.NONE.opened();

  /** Its node was no member for a while, and is one again: its next life may have runs. */
  @Test
  void aBootThatCameBackIsNotForgottenByALateRequest() {
    WorkersState back = opened.enrolled(FIRST, 1L).enrolled(SECOND, 3L);
    assertThat(back.without("boot", 2L)).isEqualTo(back);
    assertThat(back.without("boot", 4L).boots()).isEmpty();
  }

  @Test
  void aBootThatWasMadeDurableTwiceStaysUntilBothAreForgotten() {
    WorkersState twice = opened.enrolled(SECOND, 3L).enrolled(FIRST, 1L);
    assertThat(twice.without("boot", 2L).boots()).containsOnlyKeys("boot");
  }

  @Test
  void aDeskForgetsBootsThatAnEarlierOneMadeDurable() {
    WorkersState next = opened.enrolled(FIRST, 7L).opened();
    assertThat(next.boots()).containsOnlyKeys("boot");
    assertThat(next.without("boot", 1L).boots()).isEmpty();
  }

  /** It sent no numbers, and stored none. */
  @Test
  void aDeskOfAnEarlierVersionForgetsTheBootsThatItNames() {
    WorkersState stored = new WorkersState(1, Map.of("boot", "one"), Set.of(), Map.of(), null);
    assertThat(stored.without("boot", null).boots()).isEmpty();
    assertThat(stored.without("boot", 1L).boots()).isEmpty();
    assertThat(stored.enrolled(SECOND, null).without("boot", 1L).boots()).isEmpty();
    assertThat(opened.enrolled(FIRST, 1L).without("boot", null).boots()).isEmpty();
  }
}
