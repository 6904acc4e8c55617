package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.testkit.CallboardExtension;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.LogCapture;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.NodesExtension;
import io.callboard.testkit.SampleActors.Add;
import io.callboard.testkit.SampleActors.Counter;
import io.callboard.testkit.SampleActors.Total;
import io.vertx.core.Future;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.event.Level;

/**
 * Test that durable mail which no node will handle, and durable actors that end with the process,
 * are reported.
 */
@ExtendWith(CallboardExtension.class)
class UnhostedMailTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  @Test
  void theFirstTellToWhatNobodyHostsIsLoggedAndTheAskSaysSo(ManualTime time) throws Exception {
    Callboard one = nodes.open("one", options -> options.time(time));
    await(one.<Add>host("/counters", Counter::new, new ActorOptions()));
    try (LogCapture log = LogCapture.of("io.callboard")) {
      await(one.durableRef("/cuonters/a", Add.class).tell(new Add(1)));
      await(one.durableRef("/cuonters/b", Add.class).tell(new Add(1)));
      isReported(log, time, "/cuonters/");
      Future<Total> unanswered =
          one.durableRef("/cuonters/a", Add.class)
              .ask(new Add(1), Total.class, Duration.ofSeconds(5));
      Eventually.isTrue(
          "the ask has ended",
          () -> {
            time.advance(Duration.ofSeconds(1));
            return unanswered.isComplete();
          });
      assertThatThrownBy(() -> await(unanswered))
          .hasMessageContaining("no node of the cell hosts /cuonters/a")
          .hasMessageContaining("no answer from /cuonters/a");
      assertThat(log.lines().stream().filter(line -> line.text().contains("no node of")))
          .hasSize(1);
      assertThat(await(one.isHosted("/cuonters/a"))).isFalse();
      assertThat(await(one.isHosted("/counters/a"))).isTrue();
    }
  }

  /** A program hosts its actors one after another, and those of before may have mail for others. */
  @Test
  void mailForAnActorThatIsHostedShortlyAfterIsNotReported(ManualTime time) throws Exception {
    Callboard one = nodes.open("one", options -> options.time(time));
    try (LogCapture log = LogCapture.of("io.callboard")) {
      await(one.durableRef("/counters/a", Add.class).tell(new Add(1)));
      await(one.durableRef("/cuonters/a", Add.class).tell(new Add(1)));
      time.advance(Duration.ofSeconds(2));
      await(one.<Add>host("/counters", Counter::new, new ActorOptions()));
      isReported(log, time, "/cuonters/a");
      assertThat(log.lines()).noneMatch(line -> line.text().contains("/counters/"));
    }
  }

  @Test
  void mailForAnActorThatAnotherNodeHostsIsNotReported() throws Exception {
    Callboard one = nodes.open("one");
    Callboard two = nodes.open("two");
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

  @Test
  void mailForARoleThatWasGivenUpIsNoTypingError() throws Exception {
    Callboard one = nodes.open("one");
    await(one.<Add>spawn("/roles/till", Counter::new));
    await(one.stop("/roles/till"));
    Eventually.assertThat(() -> assertThat(await(one.isHosted("/roles/till"))).isFalse());
    try (LogCapture log = LogCapture.of("io.callboard")) {
      await(one.durableRef("/roles/till", Add.class).tell(new Add(1)));
      Eventually.assertThat(
          () ->
              assertThatThrownBy(
                      () ->
                          await(
                              one.durableRef("/roles/till", Add.class)
                                  .ask(new Add(1), Total.class, Duration.ofMillis(300))))
                  .as("it is known all the same")
                  .hasMessageContaining("no node of the cell hosts /roles/till"));
      log.expectNothing(Level.WARN);
    }
  }

  /** The space is hosted here, the path is below none of its prefixes. */
  @Test
  void aTypingErrorBehindTheFirstSegmentIsReportedToo(ManualTime time) throws Exception {
    Callboard one = nodes.open("one", options -> options.time(time));
    await(one.<Add>host("/shop/counters", Counter::new, new ActorOptions()));
    try (LogCapture log = LogCapture.of("io.callboard")) {
      await(one.durableRef("/shop/cuonters/a", Add.class).tell(new Add(1)));
      isReported(log, time, "/shop/cuonters/a");
    }
  }

  @Test
  void durableActorsOnAStoreThatNobodyChoseAreWarnedOfOnce(Callboard byDefault) throws Exception {
    try (LogCapture log = LogCapture.of("io.callboard")) {
      log.expectNothing(Level.WARN);
      await(byDefault.<Add>spawn("/a", Counter::new));
      await(byDefault.<Add>spawn("/b", Counter::new));
      log.expect(Level.WARN, "durable actor /a runs on a store in memory");
      assertThat(log.lines().stream().filter(line -> line.text().contains("in memory"))).hasSize(1);
    }
    try (LogCapture log = LogCapture.of("io.callboard")) {
      await(nodes.open("chosen").<Add>spawn("/a", Counter::new));
      log.expectNothing(Level.WARN);
    }
  }

  /** Moves the time until it is. */
  private static void isReported(LogCapture log, ManualTime time, String path) {
    Eventually.isTrue(
        "that nobody hosts " + path + " is logged",
        () -> {
          time.advance(Duration.ofSeconds(1));
          return log.lines().stream()
              .filter(line -> line.level() == Level.WARN)
              .anyMatch(line -> line.text().contains("no node of the cell hosts " + path));
        });
  }
}
