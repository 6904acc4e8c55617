package io.callboard.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ActorPathTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "/", "//a", "/a/", "/a//b", "/a b", "/a:b", "/a~b", "/..", "/a/../b", "/.x", "/ü"
      })
  void refusesWhatIsNoPath(String text) {
    assertThatThrownBy(() -> ActorPath.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not an actor path");
  }

  @Test
  void refusesWhatIsTooLongForAZnode() {
    assertThatThrownBy(() -> ActorPath.of("/" + "a".repeat(200)))
        .hasMessageContaining("201 characters long, at most 200");
  }

  @Test
  void knowsItsPlaceAndItsNames() {
    ActorPath path = ActorPath.of("jobs/job/1");
    assertThat(path.toString()).isEqualTo("/jobs/job/1");
    assertThat(path.toNodeName()).isEqualTo("jobs:job:1");
    assertThat(ActorPath.fromNodeName("jobs:job:1")).isEqualTo(path);
    assertThat(path.isWithin(ActorPath.of("/jobs/job"))).isTrue();
    assertThat(path.isWithin(ActorPath.of("/jobs/jo"))).isFalse();
    assertThat(path.space()).isEqualTo("jobs");
    assertThat(path.busAddress()).isEqualTo("callboard:/jobs/job/1");
  }

  @Test
  void partitionsNeverMove() {
    // Stored data depends on this: a change of the hash loses every actor.
    assertThat(ActorPath.of("/account/1").partition(64))
        .isEqualTo(new Partition("account", PARTITION_1));
    assertThat(Partition.parse("account~7")).isEqualTo(new Partition("account", 7));
  }

  private static final int PARTITION_1 = 25;
}
