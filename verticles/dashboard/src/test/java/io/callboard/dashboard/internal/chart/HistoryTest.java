package io.callboard.dashboard.internal.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.callboard.admin.Distribution;
import io.callboard.dashboard.internal.chart.History.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rings against a model that keeps all samples and looks at each of them for each step. */
class HistoryTest {
  private static final Instant START = Instant.parse("2026-11-27T03:00:00Z");
  private static final long[] BOUNDS = {10, 20, 50, 100};

  private final History history = new History();

  /** What happened between two samples. */
  private record Interval(
      Instant from, Instant to, long count, List<Long> values, Map<String, Long> backlog) {
    boolean isOf(long stepMs, long beginMs) { // of whole milliseconds, as all times here
      long lengthMs = to.toEpochMilli() - from.toEpochMilli();
      double sinceMs = from.toEpochMilli() + lengthMs / 2.0 - beginMs;
      return lengthMs <= stepMs * 3 / 2 && sinceMs >= 0 && sinceMs < stepMs;
    }
  }

  private static Sample sample(long count, long[] buckets, Map<String, Long> backlog) {
    return new Sample(
        Map.of("n", count), backlog, Map.of("t", new Distribution(BOUNDS, buckets.clone(), 0)));
  }

  private static int bucket(long value) {
    int bucket = 0;
    while (bucket < BOUNDS.length && value > BOUNDS[bucket]) {
      bucket++;
    }
    return bucket;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void theHistoryEqualsTheSamples(long seed) {
    Random random = new Random(seed);
    List<Interval> all = new ArrayList<>();
    long count = 0;
    long[] buckets = new long[BOUNDS.length + 1];
    Instant last = null;
    Instant now = START.plusMillis(random.nextInt(5_000));
    for (int i = 0; i < 1_200; i++) {
      List<Long> values = random.longs(random.nextInt(4), 0, 120).boxed().toList();
      values.forEach(value -> buckets[bucket(value)]++);
      long more = random.nextInt(100);
      count += more;
      Map<String, Long> backlog = new HashMap<>();
      random.ints(random.nextInt(4), 0, 6).forEach(n -> backlog.put("type" + n, (long) n * 3));
      history.take(now, sample(count, buckets, backlog));
      if (last != null) {
        all.add(new Interval(last, now, more, values, backlog));
      }
      last = now;
      if (i % 400 == 399) {
        compare(all, now.plusMillis(random.nextInt(5_000)));
      }
      boolean gap = random.nextInt(60) == 0;
      long boundary = Math.floorDiv(now.toEpochMilli(), 5_000L) * 5_000 + 5_000;
      now = Instant.ofEpochMilli(boundary + random.nextInt(gap ? 900_000 : 40));
    }
    compare(all, now);
  }

  private void compare(List<Interval> all, Instant now) {
    for (Range range : Range.values()) {
      Window window = history.read(range, now);
      assertThat(window.steps()).hasSize(Range.STEPS);
      long stepMs = range.step().toMillis();
      for (int i = 0; i < Range.STEPS; i++) {
        long begin = window.from().toEpochMilli() + stepMs * i;
        List<Interval> of = all.stream().filter(each -> each.isOf(stepMs, begin)).toList();
        compare(of, window.steps().get(i), range + " at " + Instant.ofEpochMilli(begin));
      }
    }
  }

  private static void compare(List<Interval> of, @Nullable Step step, String where) {
    if (of.isEmpty()) {
      assertThat(step).as(where).isNull();
      return;
    }
    assertThat(step).as(where).isNotNull();
    assertThat(step.count("n")).as(where).isEqualTo(of.stream().mapToLong(Interval::count).sum());
    assertThat(step.measured())
        .as(where)
        .isEqualTo(
            of.stream()
                .map(each -> Duration.between(each.from(), each.to()))
                .reduce(Duration.ZERO, Duration::plus));
    Map<String, Long> waited = new TreeMap<>();
    of.forEach(each -> each.backlog().forEach((type, n) -> waited.merge(type, n, Long::sum)));
    waited.forEach(
        (type, n) ->
            assertThat(step.waiting(type))
                .as(where)
                .isCloseTo((double) n / of.size(), within(1e-9)));
    long[] buckets = new long[BOUNDS.length + 1];
    of.forEach(each -> each.values().forEach(value -> buckets[bucket(value)]++));
    Distribution times = new Distribution(BOUNDS, buckets, 0);
    Distribution found = step.times("t");
    if (times.count() == 0) {
      assertThat(found).as(where).isNull();
    } else {
      assertThat(found).as(where).isNotNull();
      assertThat(found.counts()).as(where).isEqualTo(buckets);
      assertThat(found.quantile(0.99)).as(where).isEqualTo(times.quantile(0.99));
    }
  }

  private void take(double second, long count) {
    history.take(START.plusMillis(Math.round(second * 1e3)), sample(count, new long[5], Map.of()));
  }

  private @Nullable Step last(double second, int back) {
    Window window = history.read(Range.QUARTER, START.plusMillis(Math.round(second * 1e3)));
    return window.steps().get(Range.STEPS - 1 - back);
  }

  @Test
  void unmeasuredTimeIsAGapWhoseCountsAreInLongerSteps() {
    take(0, 100);
    take(5, 103);
    take(25, 110);
    take(30, 111);
    assertThat(last(30.5, 0).count("n")).isEqualTo(1);
    for (int back = 1; back <= 4; back++) {
      assertThat(last(30.5, back)).as("%d steps ago", back).isNull();
    }
    assertThat(last(30.5, 5).count("n")).isEqualTo(3);
    Window hour = history.read(Range.HOUR, START.plusSeconds(30));
    long sum =
        hour.steps().stream().filter(step -> step != null).mapToLong(step -> step.count("n")).sum();
    assertThat(sum).as("none is lost, none counted twice").isEqualTo(11);
  }

  @Test
  void aClockThatIsSetBackBeginsAnewFromThere() {
    take(0, 0);
    take(5, 1);
    take(10, 2);
    take(5.1, 50);
    take(10.1, 53);
    assertThat(last(10.2, 0).count("n")).isEqualTo(3);
    assertThat(last(10.2, 1).count("n")).as("before").isEqualTo(1);
  }

  @Test
  void typesBeyondTheLimitAreCountedTogether() {
    Map<String, Long> backlog = new HashMap<>();
    for (int i = 0; i < 2 * Step.MOST_TYPES; i++) {
      backlog.put("type" + i, 1L + i);
    }
    history.take(START, sample(0, new long[5], Map.of()));
    history.take(START.plusSeconds(5), sample(0, new long[5], backlog));
    Step step = last(5.1, 0);
    assertThat(step.types()).hasSize(Step.MOST_TYPES).containsKey("type99");
    assertThat(step.waiting()).isEqualTo(100 * 101 / 2.0);
  }
}
