package io.callboard.examples.visitors;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.examples.visitors.Visitor.Command;
import io.callboard.examples.visitors.Visitor.Visits;
import io.callboard.testkit.actor.TestedActor;
import org.junit.jupiter.api.Test;

/** The handlers of a visitor, on the test's thread. */
class VisitorTest {
  private final TestedActor<Command> visitor =
      TestedActor.of(Visitor::new).from(new Visits(41)).start();

  @Test
  void aVisitIsCountedAndAnswered() {
    assertThat(visitor.tell(new Command.Visit()).answer(Visits.class)).isEqualTo(new Visits(42));
    assertThat(visitor.tell(new Command.Look()).answer(Visits.class)).isEqualTo(new Visits(42));
  }
}
