package io.callboard.testkit.internal.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.testkit.rehearsal.Rehearsal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each build plays worlds of its own. */
class WorldsTest {
  private static final List<String> PROPERTIES =
      List.of(Worlds.BUILD, Worlds.MANY, Rehearsal.PROPERTY);

  private final Map<Object, Object> before = Map.copyOf(System.getProperties());
  private final List<Long> played = new ArrayList<>();

  @BeforeEach
  void none() {
    PROPERTIES.forEach(System::clearProperty);
  }

  @AfterEach
  void asBefore() {
    none();
    before.forEach(
        (name, value) -> {
          if (PROPERTIES.contains(name)) {
            System.setProperty((String) name, (String) value);
          }
        });
  }

  @Test
  void withoutANumberTheFirstWorldsArePlayed() {
    assertThat(Worlds.play(3, played::add)).isEqualTo(3);
    assertThat(played).containsExactly(0L, 1L, 2L);
  }

  @Test
  void withTheNextNumberTheNextWorldsArePlayed() {
    System.setProperty(Worlds.BUILD, "5");
    assertThat(Worlds.play(3, played::add)).isEqualTo(3);
    assertThat(played).containsExactly(15L, 16L, 17L);
  }

  @Test
  void oneWorldIsPlayedAlone() {
    System.setProperty(Worlds.BUILD, "5");
    System.setProperty(Rehearsal.PROPERTY, "17");
    assertThat(Worlds.play(3, 9, () -> false, played::add)).isEqualTo(1);
    assertThat(played).containsExactly(17L);
  }

  @Test
  void whileSomethingIsMissingMoreWorldsArePlayedAndNotTooMany() {
    assertThat(Worlds.play(3, 9, () -> played.contains(6L), played::add)).isEqualTo(7);
    played.clear();
    assertThat(Worlds.play(3, 9, () -> played.contains(9L), played::add)).isEqualTo(9);
  }

  @Test
  void manyWorldsBeginWhereOneSays() {
    assertThat(Worlds.playMany(3, played::add)).isEqualTo(3);
    System.setProperty(Rehearsal.PROPERTY, "17");
    System.setProperty(Worlds.MANY, "2");
    assertThat(Worlds.playMany(3, played::add)).isEqualTo(2);
    assertThat(played).containsExactly(0L, 1L, 2L, 17L, 18L);
  }

  @Test
  void aWorldThatFailsNamesItsSeed() {
    IllegalStateException failure = new IllegalStateException("as planned");
    assertThatThrownBy(
            () ->
                Worlds.play(
                    3,
                    seed -> {
                      if (seed == 2) {
                        throw failure;
                      }
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessage("seed 2 (-Dcallboard.rehearsal.seed=2 plays it alone): as planned")
        .hasCause(failure);
  }
}
