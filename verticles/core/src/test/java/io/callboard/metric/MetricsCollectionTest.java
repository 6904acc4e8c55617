package io.callboard.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.callboard.admin.Distribution;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsCollectionTest {
  private final Metrics metrics = new Metrics();

  @Test
  void metricsKeepTheirOrderAndLabelsTheirs() {
    metrics.gauges("b", "of b").add(1, "y", "1", "x", "2").add(2.5, "y", "2", "x", "2");
    metrics.counter("a", "of a", 7);
    List<Metric> all = metrics.all();
    assertThat(all).extracting(Metric::name).containsExactly("b", "a");
    assertThat(all.get(0).samples().get(0).labels().keySet()).containsExactly("y", "x");
    assertThat(all.get(0).samples()).extracting(Metric.Sample::value).containsExactly(1, 2.5);
    assertThat(all.get(1).kind()).isEqualTo(Metric.Kind.COUNTER);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1a", "a-b", "a b", "ä", "a\nb"})
  void aNameThatMonitorsCannotTakeIsRefused(String name) {
    metrics.counter(name, "help", 1);
    assertThatIllegalArgumentException().isThrownBy(metrics::all).withMessageContaining("letters");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Metrics().gauges("a", "help").add(1, name, "x"))
        .withMessageContaining("of a label");
  }

  @ParameterizedTest
  @ValueSource(strings = {"le", "__name__"})
  void aLabelOfMonitorsIsRefused(String label) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> metrics.gauges("a", "help").add(1, label, "x"))
        .withMessageContaining("use another name");
  }

  @Test
  void halfALabelASecondMetricOfANameAndAnotherKindAreRefused() {
    Metrics.Series series = metrics.gauges("a", "help");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> series.add(1, "x"))
        .withMessageContaining("pairs");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> metrics.counter("a", "help", 1))
        .withMessageContaining("already");
    Distribution values = new Distribution(new long[] {1}, new long[] {0, 1}, 3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> series.add(values, 1))
        .withMessageContaining("GAUGE");
  }

  @Test
  void twoValuesOfTheSameLabelsAndValuesThatAreMissingAreRefused() {
    metrics.gauges("a", "help").add(1, "x", "1").add(2, "x", "2").add(3, "x", "1");
    assertThatIllegalArgumentException()
        .isThrownBy(metrics::all)
        .withMessage("a has two values for the labels {x=1}");
    Metrics.Series series = new Metrics().gauges("a", "help");
    assertThatNullPointerException().isThrownBy(() -> series.add(null));
    assertThatNullPointerException().isThrownBy(() -> series.add(1, "x", null));
  }

  @Test
  void aHelpIsOneLine() {
    metrics.counter("a", "one\ntwo", 1);
    assertThatIllegalArgumentException().isThrownBy(metrics::all).withMessageContaining("one line");
  }
}
