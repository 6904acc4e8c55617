package io.callboard.internal.membership;

import static io.callboard.internal.Waits.await;
import static io.callboard.internal.node.TestNode.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.CallboardOptions;
import io.callboard.Protocol;
import io.callboard.cell.CellListener;
import io.callboard.cell.LocalMachine;
import io.callboard.cell.NodeVersion;
import io.callboard.internal.node.TestNode;
import io.callboard.internal.turn.Between;
import io.callboard.placement.Locality;
import io.callboard.placement.Offer;
import io.callboard.store.Member;
import io.callboard.store.Store;
import io.callboard.store.memory.MemoryCell;
import io.callboard.store.memory.MemoryStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of the facts that a node publishes: one that cannot be published fails alone, and nothing
 * waits for ever.
 */
class MemberFactsTest {
  private static final IllegalStateException BROKEN = new IllegalStateException("broken");

  private final Vertx vertx = Vertx.vertx();
  private final Between<Store> store =
      new Between<>(Store.class, new MemoryStore(new MemoryCell()));
  private Callboard callboard;

  record Word(String text) {}

  private static final class Idle extends Actor<Word> {
    @Override
    protected void protocol(Protocol<Word> on) {
      on.others(word -> {});
    }
  }

  @BeforeEach
  void start() throws Exception {
    callboard =
        await(
            Callboard.create(
                vertx,
                new CallboardOptions()
                    .name("node")
                    .labels(Map.of("disk", "ssd"))
                    .store(store::front)));
  }

  @AfterEach
  void stop() throws Exception {
    await(callboard.close());
    await(vertx.close());
  }

  private Map<String, String> facts() throws Exception {
    List<Member> members = await(callboard.members());
    Map<String, String> facts = new HashMap<>(members.get(0).facts());
    assertThat(facts.remove(NodeVersion.FACT))
        .as("told with the first")
        .isEqualTo(NodeVersion.version());
    facts.remove(Offer.FACT);
    assertThat(NodeVersion.version()).matches("[0-9]+\\.[0-9]+.*");
    return facts;
  }

  private void refused(String key, String value, String why) throws Exception {
    assertThat(failure(callboard.publish(key, value))).hasMessageContaining(why);
    await(callboard.publish("k", "v"));
    assertThat(facts()).containsExactly(Map.entry("k", "v"));
  }

  @Test
  void aNodeThatOffersNothingTellsWhereItRuns() throws Exception {
    await(callboard.publish("k", "v")); // after what it tells by itself
    Locality its = Locality.of(await(callboard.members()).get(0));
    assertThat(its.machine()).as("the name of this host").isEqualTo(LocalMachine.name());
    assertThat(its.labels()).containsExactly(Map.entry("disk", "ssd"));
  }

  @Test
  void theNameOfAHostIsMadeFitToBeOneOfAMachine() {
    assertThat(LocalMachine.usable(" my host\n")).isEqualTo("my-host");
    assertThat(LocalMachine.usable("_a")).isEqualTo("a");
    assertThat(LocalMachine.usable("..")).isEqualTo("localhost");
  }

  @Test
  @SuppressWarnings("NullAway") // that is what is tested
  void anInvalidFactIsRefusedWithWhatWouldBeRight() throws Exception {
    refused(null, "v", "the key of a fact has 1 to 100 characters, not null");
    refused("", "v", "1 to 100 characters, not 0");
    refused("k".repeat(101), "v", "1 to 100 characters, not 101");
    refused("k", null, "the value of the fact \"k\" is null: give a text");
    refused("callboard.groups", "v", "use a key that does not begin with callboard.");
    refused("k", "v".repeat(65_535), "the fact \"k\" as JSON has 65537 bytes, the limit is 65536");
  }

  @Test
  void allTogetherHaveALimit() throws Exception {
    String large = "v".repeat(65_000);
    int room = MemberFacts.MOST_BYTES / 65_000;
    for (int i = 0; i < room; i++) {
      await(callboard.publish("k" + i, large));
    }
    assertThat(failure(callboard.publish("more", large)))
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(Code.PAYLOAD_TOO_LARGE))
        .hasMessageContaining("with \"more\", the JSON of the 9 facts of this node has")
        .hasMessageContaining("the limit is 524288");
    await(callboard.publish("k0", "small"));
    assertThat(facts()).hasSize(room).containsEntry("k0", "small");
  }

  @Test
  void aPublicationThatThrowsFailsAlone() throws Exception {
    store.answer(
        "publish",
        1,
        call -> {
          throw BROKEN;
        });
    assertThat(failure(callboard.publish("a", "1"))).isSameAs(BROKEN);
    await(callboard.publish("b", "2"));
    assertThat(facts()).containsOnlyKeys("a", "b");
  }

  /** The group is told with the node's own facts, which fail first, in one way and another. */
  @Test
  void theGroupsAreToldWhateverBecameOfOneTelling() throws Exception {
    Promise<Void> told = Promise.promise();
    store.answer(
        "publish",
        call -> {
          if (store.calls("publish") == 1) {
            throw BROKEN;
          }
          Object published = call.goOn();
          told.tryComplete();
          return published;
        });
    var unused = await(callboard.spawn("/a", Idle::new, new ActorOptions().group("idle")));
    await(told.future());
    store.answerNoMore("publish");
    assertThat(facts().get(Groups.FACT)).contains("v/a");
  }

  @Test
  void aListenerThatThrowsKeepsNoOtherFromBeingTold() throws Exception {
    Promise<Void> told = Promise.promise();
    callboard.listen(
        new CellListener() {
          @Override
          public void membersChanged() {
            throw BROKEN;
          }
        });
    callboard.listen(
        new CellListener() {
          @Override
          public void membersChanged() {
            told.tryComplete();
          }
        });
    await(callboard.publish("k", "v"));
    await(told.future());
  }

  @Test
  void aTaskOnTheDurableContextThatThrowsFailsItsFuture() throws Exception {
    try (TestNode node = new TestNode().open()) {
      Future<Void> failed =
          node.context()
              .fromDurableContext(
                  Promise.promise(),
                  () -> {
                    throw BROKEN;
                  });
      assertThat(failure(failed)).isSameAs(BROKEN);
    }
  }
}
