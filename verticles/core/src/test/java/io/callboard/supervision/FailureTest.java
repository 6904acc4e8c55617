package io.callboard.supervision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.store.StoredFailures;
import io.callboard.supervision.Failure.Kind;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the text of a failure, whatever was thrown. */
class FailureTest {
  private static final Instant NOW = Instant.parse("2026-02-03T04:05:06.000000007Z");

  private static Failure of(Throwable cause) {
    return Failure.of(NOW, Kind.THROWN, cause, "node", 2);
  }

  private static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message");
    }

    @Override
    public synchronized Throwable getCause() {
      throw new IllegalStateException("no cause");
    }
  }

  /** Returns a failure that is its own cause, by a detour. */
  private static Throwable ring() {
    IllegalStateException inner = new IllegalStateException("inner");
    IllegalStateException outer = new IllegalStateException("outer", inner);
    return inner.initCause(outer);
  }

  @Test
  void aCauseIsToldWithItsOwnCauses() {
    Failure failure = of(new IllegalStateException("outer", new IllegalArgumentException("inner")));
    assertThat(failure.cause()).isEqualTo("java.lang.IllegalStateException: outer");
    assertThat(failure.stack())
        .startsWith("\tat io.callboard.supervision.FailureTest.")
        .hasSizeLessThanOrEqualTo(Failure.MOST_STACK);
    StackTraceElement[] none = {};
    Throwable inner = new IllegalArgumentException("inner");
    inner.setStackTrace(none);
    Throwable outer = new IllegalStateException("outer", inner);
    outer.setStackTrace(none);
    assertThat(of(outer).stack())
        .isEqualTo("Caused by: java.lang.IllegalArgumentException: inner\n");
    assertThat(of(inner).stack()).isNull();
  }

  @Test
  void ofAFailureThatVertxMadeOfATextThatIsTold() {
    Throwable made = Future.failedFuture("no such host").cause();
    assertThat(Failure.text(made)).isEqualTo("no such host");
    assertThat(of(made).cause()).isEqualTo("no such host");
    assertThat(of(new IllegalStateException("outer", made)).stack())
        .contains("Caused by: no such host\n");
    Throwable silent = Future.failedFuture((String) null).cause();
    assertThat(Failure.text(silent)).isEqualTo(silent.toString());
    assertThat(Failure.text(new IllegalStateException("it is closed")))
        .isEqualTo("java.lang.IllegalStateException: it is closed");
  }

  @Test
  void aLongCauseIsCutAndCanBeStored() {
    Failure failure = of(new IllegalStateException("x".repeat(5_000)));
    assertThat(failure.cause())
        .hasSize(Failure.MOST_CAUSE)
        .contains("(5033 characters)")
        .endsWith("x");
    String half = "y".repeat(Failure.MOST_CAUSE - 34) + "\ud83d\ude00".repeat(20);
    List<Failure> odd = List.of(of(new IllegalStateException(half)), failure, of(ring()));
    assertThat(StoredFailures.decode("it", StoredFailures.encode(odd))).isEqualTo(odd);
    Failure lone = of(new IllegalStateException("a\ud83db"));
    assertThat(StoredFailures.decode("it", StoredFailures.encode(List.of(lone))))
        .containsExactly(lone);
    assertThat(lone.cause()).endsWith("a?b");
  }

  @Test
  void anExceptionThatCannotTellItselfIsToldAllTheSame() {
    Failure failure = of(new Broken());
    assertThat(failure.cause())
        .startsWith(Broken.class.getName())
        .contains("its getMessage failed");
    assertThat(failure.stack()).contains("Caused by: java.lang.IllegalStateException: no cause");
  }

  @Test
  void aRingOfCausesEnds() {
    assertThat(of(ring()).stack()).hasSizeLessThanOrEqualTo(Failure.MOST_STACK);
  }

  @Test
  void theDecisionIsAddedToAFailure() {
    Failure failure = of(new IllegalStateException("no"));
    assertThat(failure.decision()).isNull();
    Failure decided = failure.decided(Directive.RESTART, Duration.ofSeconds(1));
    assertThat(decided.decision()).isEqualTo(Directive.RESTART);
    assertThat(decided.again(NOW.plusSeconds(1)).times()).isEqualTo(2);
    assertThat(decided.again(NOW.plusSeconds(1)).decision()).isNull();
    assertThat(decided.withoutStack().stack()).isNull();
    assertThat(decided.withoutStack().withoutStack().delay()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void nullsAreRefusedWithWhatIsRight() {
    assertThatThrownBy(() -> new Failure(NOW, Kind.START, null, null, "n", 0, 1, null, null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("cause is null: give the class and message of the cause");
  }
}
