package io.callboard.dashboard;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.metric.Metric;
import io.callboard.metric.Metrics;
import io.callboard.part.NodePart;
import io.callboard.part.RunningNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metrics of a part of the application, beside those of Callboard. */
@Tag("real")
class PartMetricsTest {
  private static final String ORDERS = "shop_orders_total{country=\"de\"}";
  private static final String FAILED =
      "callboard_metrics_left_out{part=\"shop\",reason=\"FAILED\"}";

  @TempDir Path data;
  private TestNode node;
  private volatile Future<List<Metric>> metrics = orders(3);

  private static Future<List<Metric>> orders(int number) {
    Metrics all = new Metrics();
    all.counters("shop_orders_total", "Orders by country").add(number, "country", "de");
    return Future.succeededFuture(all.all());
  }

  private final class Shop implements NodePart<Shop> {
    @Override
    public String name() {
      return "shop";
    }

    @Override
    public Class<Shop> type() {
      return Shop.class;
    }

    @Override
    public Future<Shop> start(RunningNode running) {
      return Future.succeededFuture(this);
    }

    @Override
    public Future<List<Metric>> metrics(Shop started) {
      if (metrics == null) {
        throw new IllegalStateException("the shop is closed");
      }
      return metrics;
    }
  }

  @BeforeEach
  void start() {
    node = new TestNode(data, TestNode.options());
    Shop shop = await(node.parts.start(new Shop()));
    assertThat(shop).isNotNull();
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private PrometheusText scrape() {
    return PrometheusText.read(node.get("/metrics").body());
  }

  @Test
  void aPartAddsItsOwn() {
    assertThat(scrape().value(ORDERS)).isEqualTo(3);
    metrics = orders(4);
    assertThat(scrape().value(ORDERS)).isEqualTo(4);
    assertThat(scrape().samples).doesNotContainKey(FAILED);
  }

  @Test
  void aPartThatFailsThrowsOrTakesLongIsCountedAndHidesNoOther() {
    for (Future<List<Metric>> bad :
        List.of(
            Future.<List<Metric>>failedFuture("no till"),
            Promise.<List<Metric>>promise().future())) {
      metrics = bad;
      PrometheusText text = scrape();
      assertThat(text.value(FAILED)).isEqualTo(1);
      assertThat(text.samples).doesNotContainKey(ORDERS);
      assertThat(text.value("callboard_jobs_ended_total")).isZero();
    }
    metrics = null;
    assertThat(scrape().value(FAILED)).isEqualTo(1);
    metrics = orders(5);
    assertThat(scrape().value(ORDERS)).isEqualTo(5);
    assertThat(scrape().samples).doesNotContainKey(FAILED);
  }
}
