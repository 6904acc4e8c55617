package io.callboard.examples.tutorial.first;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.callboard.examples.tutorial.first.Show.Answer;
import io.callboard.examples.tutorial.first.Show.Command;
import io.callboard.testkit.actor.TestedActor;
import org.junit.jupiter.api.Test;

/** The rules of a show, without a node and without waiting. */
class ShowTest {
  private final TestedActor<Command> show = TestedActor.of(Show::new).start();

  @Test
  void seatsAreBooked() {
    assertEquals(new Answer.Booked(2), book(2));
    assertEquals(new Answer.Booked(5), book(3));
  }

  @Test
  void aSeatThatIsNotThereIsNotBooked() {
    assertEquals(new Answer.Booked(999), book(999));
    assertEquals(new Answer.SoldOut(1), book(2));
    assertEquals(new Answer.Booked(1_000), book(1));
  }

  private Answer book(int seats) {
    return show.tell(new Command.Book(seats)).answer(Answer.class);
  }
}
