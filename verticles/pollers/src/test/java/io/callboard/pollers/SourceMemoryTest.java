package io.callboard.pollers;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.pollers.source.SourceException;
import io.callboard.pollers.source.SourceMemory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Memory that a source is given, in the cell. */
class SourceMemoryTest extends SourcesOfOneNode {
  private SourceMemory memory() {
    source("'start': {'workflow': 'index'}");
    return kind.memory("in");
  }

  private static Map<String, Long> keys(int from, int to) {
    Map<String, Long> keys = new HashMap<>();
    for (int i = from; i < to; i++) {
      keys.put("%020d".formatted(i), 20_783L + i % 3);
    }
    return keys;
  }

  @Test
  void aMemoryOutlivesTheClientsOfItsSource() {
    SourceMemory memory = memory();
    assertThat(await(memory.read())).isEmpty();
    await(memory.write(keys(0, 1_200), List.of()));
    await(memory.write(Map.of("%020d".formatted(7), 1L), keys(1_000, 1_200).keySet()));
    await(sources.close());
    sources = null;
    Map<String, Long> expected = keys(0, 1_000);
    expected.put("%020d".formatted(7), 1L);
    assertThat(await(memory().read())).isEqualTo(expected);
  }

  @Test
  void aFullMemorySaysSoAndTakesKeysInPlaceOfForgottenOnes() {
    SourceMemory memory = memory();
    await(memory.write(keys(0, SourceMemory.MOST_KEYS), List.of()));
    Map<String, Long> one = keys(SourceMemory.MOST_KEYS, SourceMemory.MOST_KEYS + 1);
    assertThatThrownBy(() -> await(memory.write(one, List.of())))
        .isInstanceOf(SourceException.class)
        .hasMessage("the memory of source in has 20,000 keys of 20,000");
    await(memory.write(keys(0, 10), List.of()));
    await(memory.write(one, keys(0, 1).keySet()));
    assertThat(await(memory.read())).hasSize(SourceMemory.MOST_KEYS).containsAllEntriesOf(one);
  }

  @Test
  void aLongKeyIsRefused() {
    SourceMemory memory = memory();
    assertThatThrownBy(() -> await(memory.write(Map.of("x".repeat(21), 1L), List.of())))
        .isInstanceOf(SourceException.class)
        .hasMessageStartingWith("a key has 1 to 20 characters of ASCII, not \"xxx");
  }
}
