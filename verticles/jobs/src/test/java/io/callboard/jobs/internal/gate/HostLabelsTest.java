package io.callboard.jobs.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the hosts that take runs offer, after each change of them. */
class HostLabelsTest {
  private static final Map<String, String> GPU = Map.of("gpu", "yes");
  private static final Map<String, String> BOTH = Map.of("gpu", "yes", "arch", "arm");

  private final HostLabels labels = new HostLabels();

  private static HostView host(String name, int slots) {
    return new HostView(
        name, "b", 0, 0, slots, Set.of(), null, 0, Set.of(), Map.of(), null, Map.of());
  }

  @Test
  void noLabelIsMissingWhileNoHostTakesRuns() {
    labels.put(Map.of("g", GPU));
    assertThat(labels.offer(BOTH)).isTrue();
    labels.take(List.of(host("g", 0)));
    assertThat(labels.offer(BOTH)).isTrue();
    labels.take(List.of(host("h", 1), host("g", 0)));
    assertThat(labels.offer(GPU)).as("g has no slots").isFalse();
    assertThat(labels.offer(Map.of())).isTrue();
  }

  @Test
  void requiredLabelsAreOfferedIfASingleHostHasThemAll() {
    labels.put(Map.of("g", GPU, "a", Map.of("arch", "arm")));
    labels.take(List.of(host("a", 1), host("g", 1)));
    assertThat(labels.offer(GPU)).isTrue();
    assertThat(labels.offer(BOTH)).as("each offers a part").isFalse();
    labels.put(Map.of("g", BOTH));
    assertThat(labels.offer(BOTH)).as("it has another label now").isTrue();
    labels.take(List.of(host("a", 1)));
    assertThat(labels.offer(BOTH)).as("it takes no runs any more").isFalse();
    labels.take(List.of(host("a", 1), host("g", 1)));
    assertThat(labels.offer(BOTH)).isTrue();
    assertThat(labels.of("g")).isEqualTo(BOTH);
    assertThat(labels.of("a")).isEmpty();
  }
}
