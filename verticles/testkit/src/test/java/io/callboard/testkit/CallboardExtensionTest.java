package io.callboard.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.Protocol;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.slf4j.event.Level;

/**
 * Test that each test has a node of its own, which reports what went wrong in it if the test fails.
 */
class CallboardExtensionTest {
  record Do(String what) {}

  private static TestExecutionSummary run(Class<?> tests) {
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(tests))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .build(),
            summary);
    return summary.getSummary();
  }

  private static Throwable onlyFailure(Class<?> tests) {
    List<TestExecutionSummary.Failure> failures = run(tests).getFailures();
    assertThat(failures).hasSize(1);
    return failures.get(0).getException();
  }

  static final class Clumsy extends Actor<Do> {
    @Override
    protected void protocol(Protocol<Do> on) {
      on.message(
          Do.class,
          message -> {
            tell(callboard().ref("/nobody", Do.class), message);
            throw new IllegalStateException("it fell");
          });
    }
  }

  @ExtendWith(CallboardExtension.class)
  static class Failing {
    static Callboard last;

    @Test
    void fails(Callboard callboard, Probes probes) {
      last = callboard;
      ActorRef<Do> clumsy = callboard.spawn("/clumsy", Clumsy::new).await();
      try (LogCapture log = LogCapture.of("io.callboard")) {
        clumsy.tell(new Do("carry")).await();
        LogCapture.Line letter = log.expect(Level.WARN, "for /nobody");
        assertThat(letter.logger()).contains("DeadLetters");
      }
      Eventually.assertThat(
          () -> {
            assertThat(callboard.admin().counts().dead()).isEqualTo(1);
            assertThat(callboard.admin().counts().failed()).isEqualTo(1);
          });
      Assertions.fail("the test's own");
    }
  }

  @Test
  void aFailureTellsOfActorsAndDeadLetters() {
    Throwable failure = onlyFailure(Failing.class);
    assertThat(failure).hasMessage("the test's own");
    assertThat(failure.getSuppressed()).hasSize(1);
    assertThat(failure.getSuppressed()[0].getMessage())
        .contains("1 turns failed, 1 dead letters, 0 parked messages")
        .contains("/clumsy (io.callboard.testkit.CallboardExtensionTest$Clumsy) is")
        .contains("failed 1 times, last with java.lang.IllegalStateException: it fell")
        .contains("WARN ")
        .contains("for /nobody");
    assertThat(Failing.last.vertx().deploymentIDs()).as("all is closed").isEmpty();
  }

  @ExtendWith(CallboardExtension.class)
  static class InConstructor {
    InConstructor(Callboard callboard) {
      Assertions.fail("no node is there for " + callboard);
    }

    @Test
    void never() {}
  }

  @Test
  void aNodeBelongsToATest() {
    assertThat(onlyFailure(InConstructor.class))
        .hasMessageContaining("take it in a test or @BeforeEach method");
  }

  @ExtendWith({VertxExtension.class, CallboardExtension.class})
  static class BesideVertx {
    @Test
    void both(Vertx vertx, VertxTestContext context, Callboard callboard) {
      assertThat(callboard.vertx()).isNotSameAs(vertx);
      vertx.timer(1).onComplete(context.succeedingThenComplete());
    }
  }

  @Test
  void standsBesideVertxJunit5() {
    TestExecutionSummary summary = run(BesideVertx.class);
    assertThat(summary.getFailures()).isEmpty();
    assertThat(summary.getTestsSucceededCount()).isEqualTo(1);
  }

  static class Named {
    @RegisterExtension
    final CallboardExtension node = new CallboardExtension(options -> options.name("mine"));

    private ManualTime before;

    @BeforeEach
    void take(ManualTime time) {
      before = time;
    }

    @Test
    void aStaticFieldIsOneNodeForAllTests(Callboard callboard, Vertx vertx, ManualTime time) {
      assertThat(callboard.node()).isEqualTo("mine");
      assertThat(vertx).isSameAs(callboard.vertx());
      assertThat(time).isSameAs(before);
      assertThat(time.stillness()).isPresent();
    }

    @Test
    void another(Callboard callboard) {
      assertThat(callboard.node()).isEqualTo("mine");
    }
  }

  @Test
  void optionsAreGivenInCode() {
    TestExecutionSummary summary = run(Named.class);
    assertThat(summary.getFailures()).isEmpty();
    assertThat(summary.getTestsSucceededCount()).isEqualTo(2);
  }
}
