package io.callboard.dashboard.internal.chart;

import io.callboard.time.Machine;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Figures of a node over all ranges, each merged of the same samples. Not thread-safe. */
@Machine
final class History {
  private final Map<Range, Ring> rings = new EnumMap<>(Range.class);
  private @Nullable Taken last;
  private @Nullable Instant since;

  private record Taken(Instant at, Sample sample) {}

  /**
   * Steps of a range, as far as they are known.
   *
   * @param from beginning of the first step
   * @param since time of the first sample; null before it
   * @param steps all of them, null for one that was not measured
   */
  record Window(Range range, Instant from, @Nullable Instant since, List<@Nullable Step> steps) {}

  History() {
    for (Range range : Range.values()) {
      rings.put(range, new Ring(range));
    }
  }

  /** Adds a sample; the first one is only the base for the next. */
  void take(Instant now, Sample sample) {
    Taken before = last;
    if (before != null && now.equals(before.at())) {
      return;
    }
    last = new Taken(now, sample);
    if (before == null) {
      since = now;
    } else if (now.isAfter(before.at())) {
      rings.values().forEach(ring -> ring.add(before.sample(), before.at(), sample, now));
    } else {
      rings.values().forEach(ring -> ring.forget(now));
    }
  }

  Window read(Range range, Instant now) {
    Ring ring = rings.get(range);
    if (ring == null) {
      throw new IllegalArgumentException("no ring of " + range);
    }
    return new Window(range, ring.from(now), since, ring.read(now));
  }
}
