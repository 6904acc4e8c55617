package io.callboard.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.audit.Operation.Check;
import io.callboard.audit.Operation.Create;
import io.callboard.audit.Operation.Delete;
import io.callboard.audit.Operation.Write;
import io.callboard.audit.Violation.Rule;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.MessageId;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.OutboxEntry;
import io.callboard.codecs.Segment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The judge finds nothing in a good history, and every rule fires on a history made to break it.
 */
class TxnLogHistoryTest extends HandMadeHistory {
  private Set<Rule> broken() {
    return history.violations().stream().map(Violation::rule).collect(Collectors.toSet());
  }

  @Test
  void aGoodHistoryBreaksNoRule() {
    begin();
    multi();
    multi(ALIVE, number(3), OWNED, turn(1, record(1, 0, 1, 0)));
    Operation parked = new Create("/d/x~1/x:a~0-1", json("{}"));
    multi(ALIVE, number(4), OWNED, turn(2, record(2, 1, 0, 0)), gone(0, 2), parked);
    Operation noted = new Create("/j/x~1/x:a/3", json("{}"));
    Operation sent = segment(2, "/x/a", 1, 2);
    multi(ALIVE, number(5), OWNED, turn(3, record(3, 2, 0, 2)), gone(1, 1), noted, sent);
    one(new Write(LEASE, lease(1, "", ""), 1));
    one(new Write("/i/n", json("{'boot':'c','counter':2}"), 1));
    multi(new Check("/i/n", 1), new Write(LEASE, lease(2, "n", "c"), 2));
    zxid = (1L << 32);
    multi(
        new Check("/i/n", 1),
        number(6),
        new Check(LEASE, 2),
        turn(4, record(4, 2, 3, 0, 2)),
        gone(2, 2));
    assertThat(history.violations()).isEmpty();
    assertThat(history.waiting()).isZero();
    assertThat(history.figures()).isEqualTo(new TxnLogHistory.Figures(8, 1, 5, 5, 1, 0));
  }

  @Test
  void outboxFires() {
    begin();
    String entry = "/x/x~1/x:a/1";
    byte[] foreign =
        OutboxEntry.encode(
            Map.of(
                ActorPath.of("/x/b"),
                List.of(
                    new Envelope(
                        new MessageId("/x/c", 1), new MessageType("note", 1), json("1"), null))));
    multi(ALIVE, number(3), OWNED, turn(1, record(1, 0, 0, 0)), new Create(entry, foreign));
    assertThat(broken()).containsExactly(Rule.OUTBOX);
  }

  @Test
  void anyNodeThatCommitsMayUnpark() {
    begin();
    Operation parked = new Create("/d/x~1/x:a~0-1", json("{}"));
    multi(ALIVE, number(3), OWNED, turn(1, record(1, 1, 0, 0)), gone(0, 2), parked);
    multi(ALIVE, number(4), new Delete("/d/x~1/x:a~0-1"), segment(2, "edge:1", 4));
    assertThat(history.violations()).isEmpty();
  }

  @Test
  void wholeFires() {
    begin();
    zxid++;
    one(new Create("/a/x~2", new byte[0]));
    assertThat(broken()).containsExactly(Rule.WHOLE);
  }

  @Test
  void versionFires() {
    begin();
    multi(ALIVE, number(3), OWNED, turn(2, record(1, 0, 1, 0)));
    multi(new Check("/i/n", 5), number(4), segment(2, "edge:1", 4));
    multi(ALIVE, number(5), segment(2, "edge:2", 4));
    assertThat(broken()).contains(Rule.VERSION);
    assertThat(history.violations()).filteredOn(v -> v.rule() == Rule.VERSION).hasSize(3);
  }

  @Test
  void committerFires() {
    begin();
    one(turn(1, record(1, 0, 1, 0)));
    multi(ALIVE, segment(2, "edge:1", 4));
    one(segment(3, "edge:1", 5));
    assertThat(broken()).containsExactly(Rule.COMMITTER);
    assertThat(history.violations()).hasSize(3);
  }

  private void beginWithAnEmptyMailbox() {
    begin();
    Operation parked = new Create("/d/x~1/x:a~0-1", json("{}"));
    multi(ALIVE, number(3), OWNED, turn(1, record(1, 1, 0, 0)), gone(0, 2), parked);
    multi(ALIVE, number(4), new Delete("/d/x~1/x:a~0-1"));
    assertThat(history.violations()).isEmpty();
  }

  @Test
  void anOwnerMayRemoveWhatADeletedActorLeft() {
    beginWithAnEmptyMailbox();
    multi(ALIVE, OWNED, new Delete("/a/x~1/x:a"), new Delete("/m/x~1/x:a~0"));
    assertThat(history.violations()).isEmpty();
  }

  @Test
  void aRemovalWithoutItsFencesFires() {
    beginWithAnEmptyMailbox();
    multi(OWNED, new Delete("/a/x~1/x:a"), new Delete("/m/x~1/x:a~0"));
    assertThat(broken()).containsExactly(Rule.COMMITTER);
  }

  @Test
  void aRemovalWithoutItsLeaseFires() {
    beginWithAnEmptyMailbox();
    multi(ALIVE, new Delete("/a/x~1/x:a"), new Delete("/m/x~1/x:a~0"));
    assertThat(broken()).containsExactly(Rule.LEASE);
  }

  @Test
  void incarnationFires() {
    begin();
    multi(number(3), segment(2, "edge:1", 4));
    assertThat(broken()).containsExactly(Rule.INCARNATION);
  }

  @Test
  void sessionFires() {
    begin();
    session = 8;
    multi(ALIVE, number(3), segment(2, "edge:1", 4));
    assertThat(broken()).containsExactly(Rule.SESSION);
  }

  @Test
  void leaseFires() {
    begin();
    multi(ALIVE, number(3), turn(1, record(1, 0, 1, 0)));
    assertThat(broken()).containsExactly(Rule.LEASE);
  }

  @Test
  void ownerFiresForAnotherOwner() {
    begin();
    session = 8;
    one(new Create("/i/z", json("{'boot':'y','counter':1}")));
    multi(new Check("/i/z", 0), new Write(LEASE, lease(2, "z", "y"), 1));
    session = 7;
    multi(ALIVE, number(3), new Check(LEASE, 1), turn(1, record(1, 2, 0, 1, 0)));
    assertThat(broken()).containsExactly(Rule.OWNER);
  }

  @Test
  void ownerFiresForAnotherBootAndForAnotherEpoch() {
    begin();
    multi(ALIVE, number(3), OWNED, turn(1, record(1, 2, 0, 1, 0)));
    one(new Write("/i/n", json("{'boot':'c','counter':2}"), 1));
    multi(new Check("/i/n", 1), number(4), OWNED, turn(2, record(2, 1, 0, 1, 0)));
    assertThat(broken()).containsExactly(Rule.OWNER);
    assertThat(history.violations()).hasSize(2);
  }

  @Test
  void epochFires() {
    begin();
    multi(ALIVE, new Write(LEASE, lease(1, "n", "b"), 1));
    multi(ALIVE, new Write(LEASE, lease(3, "n", "b"), 2));
    one(new Write(LEASE, lease(4, "n", "b"), 3));
    multi(ALIVE, new Write(LEASE, lease(5, "n", "other"), 4));
    one(new Write(LEASE, lease(4, "", ""), 5));
    assertThat(broken()).containsExactly(Rule.EPOCH);
    assertThat(history.violations()).hasSize(5);
  }

  @Test
  void numberFires() {
    begin();
    multi(ALIVE, new Write("/s/n", json("{'number':4}"), 3), segment(2, "edge:1", 4));
    one(new Write("/i/n", json("{'boot':'b','counter':3}"), 1));
    assertThat(broken()).containsExactly(Rule.NUMBER);
    assertThat(history.violations()).hasSize(2);
  }

  @Test
  void turnFires() {
    begin();
    multi(ALIVE, number(3), OWNED, turn(1, record(2, 0, 1, 0)));
    multi(ALIVE, number(4), OWNED, turn(2, record(2, 0, 1, 0)));
    assertThat(broken()).containsExactly(Rule.TURN);
    assertThat(history.violations()).hasSize(2);
  }

  @Test
  void cursorFiresWhenMailIsConsumedTwiceOrLost() {
    begin();
    multi(ALIVE, number(3), OWNED, turn(1, record(1, 0, 1, 0)));
    multi(ALIVE, number(4), OWNED, turn(2, record(2, 0, 0, 0)));
    multi(ALIVE, number(5), OWNED, turn(3, record(3, 1, 0, 0)));
    multi(ALIVE, number(6), OWNED, turn(4, record(4, 1, 0, 0)), gone(1, 1));
    multi(ALIVE, number(7), OWNED, gone(0, 2));
    multi(ALIVE, number(8), OWNED, turn(5, record(5, 3, 0, 0)));
    multi(ALIVE, number(9), OWNED, turn(6, record(6, 3, 1, 0)));
    assertThat(broken()).containsExactly(Rule.CURSOR);
    assertThat(history.violations()).hasSizeGreaterThanOrEqualTo(6);
  }

  @Test
  void sentFires() {
    begin();
    multi(ALIVE, number(3), OWNED, turn(1, record(1, 0, 1, 1)));
    multi(ALIVE, number(4), OWNED, turn(2, record(2, 0, 1, 1)), segment(2, "/x/a", 2));
    multi(ALIVE, number(5), segment(3, "/x/a", 3));
    assertThat(broken()).containsExactly(Rule.SENT);
    assertThat(history.violations()).hasSize(3);
  }

  @Test
  void gapFires() {
    begin();
    multi(ALIVE, number(3), segment(3, "edge:1", 4));
    assertThat(broken()).containsExactly(Rule.GAP);
  }

  @Test
  void uniqueFires() {
    begin();
    multi(ALIVE, number(3), segment(2, "edge:1", 3));
    assertThat(broken()).containsExactly(Rule.UNIQUE);
  }

  @Test
  void orderFires() {
    begin();
    multi(ALIVE, number(3), segment(2, "edge:1", 5));
    multi(ALIVE, number(4), segment(3, "edge:1", 4));
    assertThat(broken()).containsExactly(Rule.ORDER);
  }

  @Test
  void parkedFires() {
    begin();
    Operation parked = new Create("/d/x~1/x:a~0-1", json("{}"));
    multi(ALIVE, number(3), OWNED, turn(1, record(1, 0, 1, 0)), parked);
    multi(ALIVE, number(4), OWNED, new Create("/d/x~1/x:a~1-0", json("{}")));
    assertThat(broken()).containsExactly(Rule.PARKED);
    assertThat(history.violations()).hasSize(2);
  }

  @Test
  void journalFires() {
    begin();
    Operation noted = new Create("/j/x~1/x:a/2", json("{}"));
    multi(ALIVE, number(3), OWNED, turn(1, record(1, 0, 1, 0)), noted);
    assertThat(broken()).containsExactly(Rule.JOURNAL);
  }

  @Test
  void aRuleWithoutATestIsNoticed() {
    Set<String> tests =
        Arrays.stream(TxnLogHistoryTest.class.getDeclaredMethods())
            .map(method -> method.getName().toLowerCase(java.util.Locale.ROOT))
            .collect(Collectors.toSet());
    for (Rule rule : Rule.values()) {
      String name = rule.name().toLowerCase(java.util.Locale.ROOT) + "fires";
      assertThat(tests).anyMatch(test -> test.startsWith(name));
    }
  }

  private static final String BLOB = "/b/x~1/x:a~n.b.1";

  private static Create large(long sequence, long number) {
    BlobRef blob = new BlobRef("n.b.1", 40_000, 1, "00000000");
    Envelope envelope =
        new Envelope(new MessageId("edge:9", number), new MessageType("note", 1), blob, null);
    return new Create("%s/s1.9-%010d".formatted(BOX, sequence), Segment.encode(List.of(envelope)));
  }

  @Test
  void aBlobThatIsNamedParkedReplayedAndConsumedBreaksNoRule() {
    begin();
    one(new Create(BLOB, json("{}")));
    one(new Create(BLOB + "/0", new byte[9]));
    multi(ALIVE, number(3), new Write(BLOB, json("{}"), 1), large(2, 1));
    Operation parked = new Create("/d/x~1/x:a~2-0", json("{'envelope':{'blob':{'id':'n.b.1'}}}"));
    multi(ALIVE, number(4), OWNED, turn(1, record(1, 2, 0, 0)), gone(0, 2), gone(1, 1));
    multi(ALIVE, number(5), OWNED, turn(2, record(2, 3, 0, 0)), gone(2, 1), parked);
    assertThat(history.blobsLeft()).isEmpty();
    Operation unparked = new Delete("/d/x~1/x:a~2-0");
    multi(ALIVE, number(6), unparked, new Write(BLOB, json("{}"), 2), large(3, 2));
    assertThat(history.blobsLeft()).containsExactly(BLOB);
    multi(
        ALIVE,
        number(7),
        OWNED,
        turn(3, record(3, 4, 0, 0)),
        gone(3, 1),
        new Delete(BLOB + "/0"),
        new Delete(BLOB));
    assertThat(history.violations()).isEmpty();
    assertThat(history.blobsLeft()).isEmpty();
    assertThat(history.blobs()).isEqualTo(1);
  }

  @Test
  void blobFires() {
    begin();
    one(new Create(BLOB, json("{}")));
    multi(ALIVE, number(3), new Write(BLOB, json("{}"), 1), large(2, 1));
    one(new Create(BLOB + "/0", new byte[9]));
    multi(ALIVE, number(4), large(3, 2));
    multi(new Delete(BLOB + "/0"), new Delete(BLOB));
    assertThat(broken()).containsExactly(Rule.BLOB);
    assertThat(history.violations()).hasSize(3);
  }
}
