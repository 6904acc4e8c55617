package io.callboard.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.callboard.bench.Case.Better;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  private static final Machine MACHINE = new Machine("a CPU", 2, 1024, "an OS", "a JVM");
  private static final Measurement SLOW = Measurement.of(List.of(100.0));
  private static final Measurement FAST = Measurement.of(List.of(400.0));

  @TempDir private Path directory;

  @Test
  void measurementHasMedianMinMaxAndRuns() {
    assertThat(Measurement.of(List.of(5.0, 1.0, 3.0))).isEqualTo(new Measurement(3, 1, 5, 3));
    assertThat(Measurement.of(List.of(4.0, 1.0, 2.0, 9.0)).median()).isEqualTo(3);
  }

  @Test
  void nothingAndNoNumberAreNoMeasurement() {
    assertThatIllegalArgumentException().isThrownBy(() -> Measurement.of(List.of()));
    assertThatIllegalArgumentException().isThrownBy(() -> Measurement.of(List.of(Double.NaN)));
  }

  @Test
  void ratioIsAboveOneWhereOursIsBetter() {
    Case rate = new Case("rate", "msg/s", Better.HIGHER, FAST, Map.of("peer", SLOW));
    Case latency = new Case("latency", "µs", Better.LOWER, SLOW, Map.of("peer", FAST));
    Case worse = new Case("latency", "µs", Better.LOWER, FAST, Map.of("peer", SLOW));
    assertThat(rate.ratio()).containsEntry("peer", 4.0);
    assertThat(latency.ratio()).containsEntry("peer", 4.0);
    assertThat(worse.ratio()).containsEntry("peer", 0.25);
  }

  @Test
  void jsonHasTheShapeThatScriptsRead() throws Exception {
    Case rate = new Case("rate", "msg/s", Better.HIGHER, FAST, Map.of("peer", SLOW));
    Path file = new Report("a-row", true, MACHINE, List.of(rate)).write(directory);
    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertThat(file).hasFileName("a-row.json");
    assertThat(json.fieldNames()).toIterable().containsExactly("row", "quick", "machine", "cases");
    JsonNode one = json.path("cases").path(0);
    assertThat(one.fieldNames())
        .toIterable()
        .containsExactly("name", "unit", "betterIs", "ours", "peers", "ratio");
    assertThat(one.path("betterIs").asText()).isEqualTo("higher");
    assertThat(one.path("ours"))
        .isEqualTo(
            new ObjectMapper()
                .readTree("{'median':400.0,'min':400.0,'max':400.0,'runs':1}".replace('\'', '"')));
    assertThat(one.path("peers").path("peer").path("median").asDouble()).isEqualTo(100);
    assertThat(one.path("ratio").path("peer").asDouble()).isEqualTo(4);
  }

  @Test
  void markdownHasALineForEachPeerAndOneWithoutPeers() {
    Case rate = new Case("rate", "msg/s", Better.HIGHER, FAST, Map.of("peer", SLOW));
    Case alone = new Case("heap", "B/msg", Better.LOWER, SLOW, Map.of());
    assertThat(new Report("a-row", false, MACHINE, List.of(rate, alone)).markdown())
        .startsWith("## a-row\n")
        .contains("| rate | msg/s | 400 (400 – 400) | peer | 100 (100 – 100) | **4.00** |\n")
        .contains("| heap | B/msg (less is better) | 100 (100 – 100) | | | |\n");
  }

  @Test
  void numbersAreShort() {
    assertThat(List.of(0.0341, 3.41, 341.2, 3412.0, 34_120.0, 3_412_000.0))
        .map(Report::number)
        .containsExactly("0.034", "3.41", "341", "3412", "34.1 k", "3.41 M");
  }
}
