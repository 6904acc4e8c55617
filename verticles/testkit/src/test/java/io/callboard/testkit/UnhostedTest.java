package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.store.MemoryCell;
import io.callboard.store.MemoryStore;
import io.callboard.testkit.ActorsTest.Add;
import io.callboard.testkit.ActorsTest.Counter;
import io.callboard.testkit.ActorsTest.Total;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** Durable mail that nobody will handle, and durable actors that end with the process, are told. */
class UnhostedTest {
  private final Vertx vertx = Vertx.vertx();
  private final Vertx other = Vertx.vertx();
  private final MemoryCell cell = new MemoryCell();

  private Callboard node(Vertx vertx, String name) throws Exception {
    return await(
        Callboard.create(
            vertx, new CallboardOptions().name(name).store(() -> new MemoryStore(cell))));
  }

  @AfterEach
  void close() throws Exception {
    await(vertx.close());
    await(other.close());
  }

  @Test
  void theFirstTellToWhatNobodyHostsIsLoggedAndTheAskSaysSo() throws Exception {
    Callboard one = node(vertx, "one");
    await(one.<Add>host("/counters", Counter::new, new ActorOptions()));
    try (LogCapture log = LogCapture.of("io.callboard")) {
      await(one.durableRef("/cuonters/a", Add.class).tell(new Add(1)));
      await(one.durableRef("/cuonters/b", Add.class).tell(new Add(1)));
      Eventually.assertThat(() -> log.expect(Level.WARN, "nobody in the cell hosts /cuonters/"));
      assertThatThrownBy(
              () ->
                  await(
                      one.durableRef("/cuonters/a", Add.class)
                          .ask(new Add(1), Total.class, Duration.ofMillis(300))))
          .hasMessageContaining("nobody in the cell hosts /cuonters/a")
          .hasMessageContaining("no answer from /cuonters/a");
      assertThat(log.lines().stream().filter(line -> line.text().contains("nobody in"))).hasSize(1);
      assertThat(await(one.isHosted("/cuonters/a"))).isFalse();
      assertThat(await(one.isHosted("/counters/a"))).isTrue();
    }
  }

  @Test
  void whatAnotherNodeHostsIsNotReported() throws Exception {
    Callboard one = node(vertx, "one");
    Callboard two = node(other, "two");
    await(two.<Add>host("/counters", Counter::new, new ActorOptions()));
    await(two.<Add>spawn("/till", Counter::new));
    try (LogCapture log = LogCapture.of("io.callboard")) {
      await(one.durableRef("/counters/a", Add.class).tell(new Add(1)));
      await(one.durableRef("/till", Add.class).tell(new Add(1)));
      assertThat(await(one.isHosted("/counters/a"))).isTrue();
      assertThat(await(one.isHosted("/till"))).isTrue();
      assertThat(await(two.isHosted("/till"))).isTrue();
      log.expectNothing(Level.WARN);
    }
  }

  /** The space is hosted here, the path is below none of its prefixes. */
  @Test
  void aTypingErrorBehindTheFirstSegmentIsReportedToo() throws Exception {
    Callboard one = node(vertx, "one");
    await(one.<Add>host("/shop/counters", Counter::new, new ActorOptions()));
    try (LogCapture log = LogCapture.of("io.callboard")) {
      await(one.durableRef("/shop/cuonters/a", Add.class).tell(new Add(1)));
      Eventually.assertThat(
          () -> log.expect(Level.WARN, "nobody in the cell hosts /shop/cuonters/a"));
    }
  }

  @Test
  void durableActorsOnAStoreThatNobodyChoseAreWarnedOfOnce() throws Exception {
    try (LogCapture log = LogCapture.of("io.callboard")) {
      Callboard byDefault = await(Callboard.create(vertx, new CallboardOptions()));
      log.expectNothing(Level.WARN);
      await(byDefault.<Add>spawn("/a", Counter::new));
      await(byDefault.<Add>spawn("/b", Counter::new));
      log.expect(Level.WARN, "such as /a run on a store in memory");
      assertThat(log.lines().stream().filter(line -> line.text().contains("in memory"))).hasSize(1);
    }
    try (LogCapture log = LogCapture.of("io.callboard")) {
      await(node(other, "chosen").<Add>spawn("/a", Counter::new));
      log.expectNothing(Level.WARN);
    }
  }
}
