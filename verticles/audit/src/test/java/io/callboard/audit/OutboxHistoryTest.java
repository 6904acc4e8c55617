package io.callboard.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.audit.Operation.Create;
import io.callboard.audit.Operation.Delete;
import io.callboard.audit.Operation.Write;
import io.callboard.audit.Violation.Rule;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.OutboxEntry;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Test that the rules of outboxes accept a correct history, and find the fault in others. */
class OutboxHistoryTest extends HandMadeHistory {
  private static final String OUTBOX = "/x/x~1/x:a";
  private static final Operation CONSUMED = gone(0, 2);

  private Set<Rule> broken() {
    return history.violations().stream().map(Violation::rule).collect(Collectors.toSet());
  }

  private static byte[] entry(String sender, long... numbers) {
    List<Envelope> mail =
        Arrays.stream(numbers)
            .mapToObj(n -> new MessageId(sender, n))
            .map(id -> new Envelope(id, new MessageType("note", 1), Json.bytes(id.number()), null))
            .toList();
    return OutboxEntry.encode(Map.of(ActorPath.of("/x/a"), mail));
  }

  /** The actor has sent messages 1 to 3, of which two found no room. */
  @BeforeEach
  void spills() {
    begin();
    multi(
        ALIVE,
        number(3),
        OWNED,
        turn(1, record(1, 1, 0, 3)),
        CONSUMED,
        new Create(OUTBOX, new byte[0]),
        new Create(OUTBOX + "/1", entry("/x/a", 2, 3)),
        segment(2, "/x/a", 1));
  }

  @Test
  void aRelayIsNoTurn() {
    multi(
        ALIVE,
        number(4),
        OWNED,
        turn(2, record(1, 1, 0, 3)),
        new Write(OUTBOX + "/1", entry("/x/a", 3), 1),
        segment(3, "/x/a", 2));
    assertThat(history.waiting()).isEqualTo(4);
    multi(
        ALIVE,
        number(5),
        OWNED,
        turn(3, record(1, 1, 0, 3)),
        new Delete(OUTBOX + "/1"),
        segment(4, "/x/a", 3));
    assertThat(history.violations()).isEmpty();
    assertThat(history.figures().relayed()).isEqualTo(2);
  }

  @Test
  void aMessageThatVanishesIsFound() {
    multi(ALIVE, number(4), OWNED, turn(2, record(1, 1, 0, 3)), new Delete(OUTBOX + "/1"));
    assertThat(broken()).containsExactly(Rule.OUTBOX);
  }

  @Test
  void aMessageThatIsRelayedTwiceIsFound() {
    multi(ALIVE, number(4), OWNED, turn(2, record(1, 1, 0, 3)), segment(3, "/x/a", 2));
    assertThat(broken()).contains(Rule.TURN, Rule.SENT);
    multi(
        ALIVE,
        number(5),
        OWNED,
        turn(3, record(1, 1, 0, 3)),
        new Delete(OUTBOX + "/1"),
        segment(4, "/x/a", 2, 3));
    assertThat(broken()).contains(Rule.UNIQUE);
  }

  @Test
  void aMessageThatOvertakesAnotherIsFound() {
    multi(ALIVE, number(4), OWNED, turn(2, record(2, 1, 0, 4)), segment(3, "/x/a", 4));
    multi(
        ALIVE,
        number(5),
        OWNED,
        turn(3, record(2, 1, 0, 4)),
        new Delete(OUTBOX + "/1"),
        segment(4, "/x/a", 2, 3));
    assertThat(broken()).containsExactly(Rule.ORDER);
  }

  @Test
  void aMessageThatNobodySentIsFound() {
    multi(
        ALIVE,
        number(4),
        OWNED,
        turn(2, record(2, 1, 0, 3)),
        new Create(OUTBOX + "/2", entry("/x/b", 1)));
    assertThat(broken()).containsExactly(Rule.OUTBOX);
  }
}
