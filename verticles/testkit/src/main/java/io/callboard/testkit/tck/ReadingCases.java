package io.callboard.testkit.tck;

import static io.callboard.testkit.tck.TckNode.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.CommitUnit;
import io.callboard.store.Consumed;
import io.callboard.store.Consumed.Stretch;
import io.callboard.store.Lease;
import io.callboard.store.Limits;
import io.callboard.store.Loaded;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredActors;
import io.callboard.store.StoredParked;
import io.callboard.store.StoredSegment;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Cases of reads: their content and limits, and the hints that there is something to read. */
interface ReadingCases extends TckStage {
  @Test
  default void loadingAnActorThatNeverWasCreatesNothing() {
    TckNode node = open("node");
    ActorPath actor = ActorPath.of("/space/never");
    Loaded loaded = await(node.store().load(actor, node.claim(actor)));
    assertThat(loaded).isEqualTo(Loaded.NOTHING);
    assertThat(await(node.store().actor(actor))).isEmpty();
    assertThat(await(node.store().actors(ActorPath.of("/space"), 100, Optional.empty())).readable())
        .isEmpty();
    assertThat(node.segments(actor)).isEmpty();
    assertThat(await(node.store().peek(actor, 3))).isEmpty();
  }

  @Test
  default void aHalfConsumedSegmentIsLoadedAgain() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    node.sends(TckUnit.tell(actor, "x", 1, 2, 3));
    node.sends(TckUnit.tell(actor, "x", 4));
    node.applies(lease, TckUnit.turn(actor, 0, 1).upTo(0, 2).unit());
    Loaded loaded = await(node.store().load(actor, lease));
    assertThat(loaded.record().orElseThrow().record().offset()).isEqualTo(2);
    assertThat(loaded.mail().segments())
        .extracting(StoredSegment::sequence)
        .containsExactly(0L, 1L);
    assertThat(TckUnit.ids(loaded.mail().segments().get(0))).containsExactly("x#1", "x#2", "x#3");
    node.applies(lease, TckUnit.turn(actor, 1, 2).upTo(1, 0, 0L).unit());
    assertThat(await(node.store().load(actor, lease)).mail().segments())
        .extracting(StoredSegment::sequence)
        .containsExactly(1L);
  }

  @Test
  default void messagesBehindOneThatWaitsCanBeConsumedFirst() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    node.sends(TckUnit.tell(actor, "x", 1, 2));
    node.sends(TckUnit.tell(actor, "x", 3));
    node.sends(TckUnit.tell(actor, "x", 4, 5));
    Consumed behind = new Consumed(0, 0, List.of(new Stretch(0, 1, 2, 1)));
    node.applies(lease, TckUnit.turn(actor, 0, 1).consumes(behind, 1L).unit());
    Loaded loaded = await(node.store().load(actor, lease));
    assertThat(loaded.record().orElseThrow().record().consumed()).isEqualTo(behind);
    assertThat(loaded.mail().segments())
        .extracting(StoredSegment::sequence)
        .containsExactly(0L, 2L);
    node.sends(TckUnit.tell(actor, "x", 6));
    assertThat(await(node.store().read(actor, 3)).segments())
        .extracting(StoredSegment::sequence)
        .containsExactly(3L);
    Consumed more = new Consumed(0, 0, List.of(new Stretch(0, 1, 4, 0)));
    node.applies(lease, TckUnit.turn(actor, 1, 2).consumes(more, 2L, 3L).unit());
    assertThat(await(node.store().load(actor, lease)).mail().segments())
        .extracting(StoredSegment::sequence)
        .containsExactly(0L);
    assertThat(await(node.store().withMail(lease.partition()))).contains(actor);
    node.applies(lease, TckUnit.turn(actor, 2, 3).upTo(4, 0, 0L).unit());
    assertThat(await(node.store().load(actor, lease)).mail().segments()).isEmpty();
    node.sends(TckUnit.tell(actor, "x", 7));
    assertThat(await(node.store().load(actor, lease)).mail().segments())
        .extracting(StoredSegment::sequence)
        .containsExactly(4L);
  }

  @Test
  default void aReadIsBoundedBySegments() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    int count = Limits.READ_SEGMENTS + 44;
    for (int number = 0; number < count; number++) {
      node.sends(TckUnit.tell(actor, "x", number));
    }
    Loaded loaded = await(node.store().load(actor, node.claim(actor)));
    assertThat(loaded.mail().messages()).isEqualTo(count);
    assertThat(loaded.mail().segments())
        .extracting(StoredSegment::sequence)
        .containsExactlyElementsOf(LongStream.range(0, Limits.READ_SEGMENTS).boxed().toList());
    assertThat(await(node.store().read(actor, Limits.READ_SEGMENTS)).segments())
        .extracting(StoredSegment::sequence)
        .containsExactlyElementsOf(LongStream.range(Limits.READ_SEGMENTS, count).boxed().toList());
    assertThat(await(node.store().read(actor, count)).segments()).isEmpty();
    assertThat(await(node.store().peek(actor, count))).hasSize(count);
  }

  @Test
  default void aReadIsBoundedByBytes() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    CommitUnit part = TckUnit.tellBytes(actor, Limits.INLINE_BYTES - 1_000);
    for (int i = 0; i < 9; i++) {
      node.sends(part, part, part, part); // a segment of a quarter of a read
    }
    List<StoredSegment> read = await(node.store().read(actor, 0)).segments();
    assertThat(read).hasSizeBetween(3, 4);
    assertThat(await(node.store().read(actor, read.size())).segments()).isNotEmpty();
    assertThat(await(node.store().peek(actor, 9))).hasSize(9);
  }

  @Test
  default void oneSegmentIsReadHoweverLarge() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    CommitUnit large = TckUnit.tellBytes(actor, Limits.INLINE_BYTES - 1_000);
    CommitUnit[] larger = Collections.nCopies(20, large).toArray(CommitUnit[]::new);
    node.sends(TckUnit.tell(actor, "x", 1));
    node.sends(larger);
    node.sends(TckUnit.tell(actor, "x", 2));
    assertThat(await(node.store().load(actor, node.claim(actor))).mail().segments()).hasSize(1);
    assertThat(await(node.store().read(actor, 1)).segments())
        .singleElement()
        .satisfies(segment -> assertThat(TckUnit.ids(segment)).hasSize(20));
    assertThat(await(node.store().read(actor, 2)).segments()).hasSize(1);
  }

  @Test
  default void manyLargeRecordsAndEntriesAreReadAlike() {
    TckNode node = open("node");
    String state = "s".repeat(Limits.RECORD_BYTES / 2);
    for (int i = 0; i < 5; i++) {
      ActorPath actor = mailbox(node, "/space/a" + i);
      Lease lease = node.claim(actor);
      node.applies(
          lease,
          TckUnit.turn(actor, 0, 1).snapshot(JsonNodeFactory.instance.textNode(state)).unit());
      for (int turn = 2; turn < 6; turn++) {
        node.applies(
            lease,
            TckUnit.turn(actor, turn - 1, turn)
                .journal("j".repeat(Limits.RECORD_BYTES / 2))
                .parks("id" + turn, state)
                .unit());
      }
      assertThat(await(node.store().load(actor, lease)).journal()).hasSize(4);
    }
    assertThat(await(node.store().actors(ActorPath.of("/space"), 100, Optional.empty())).readable())
        .hasSize(5);
    assertThat(await(node.store().parked(100))).hasSize(20);
  }

  @Test
  default void someActorsAreReadTogetherInTheOrderAskedFor() {
    TckNode node = open("node");
    List<ActorPath> there = new ArrayList<>();
    for (int i = Limits.PAGE_ACTORS - 1; i > 0; i--) {
      there.add(mailbox(node, "/some/a" + i));
    }
    ActorPath beside = mailbox(node, "/some/beside");
    node.sends(TckUnit.tell(there.get(0), "x", 1));
    List<ActorPath> asked = new ArrayList<>(there);
    asked.add(3, ActorPath.of("/some/never"));
    StoredActors found = await(node.store().actors(asked));
    assertThat(found.readable())
        .extracting(StoredActor::path)
        .containsExactlyElementsOf(there)
        .doesNotContain(beside);
    assertThat(found.readable().get(0))
        .isEqualTo(await(node.store().actor(there.get(0))).orElseThrow());
    assertThat(found.readable().get(0).waiting()).isEqualTo(1);
    assertThat(found.unreadable()).isEmpty();
    assertThat(await(node.store().actors(List.of())).readable()).isEmpty();
    asked.add(beside);
    assertThatThrownBy(() -> await(node.store().actors(asked)))
        .hasStackTraceContaining("33 actors are too many at a time: give 32 at most");
  }

  @Test
  default void peekChangesNothing() {
    TckNode node = open("node");
    TckNode other = open("other");
    ActorPath actor = mailbox(node, "/space/a");
    for (int number = 1; number <= 5; number++) {
      node.sends(TckUnit.tell(actor, "x", number));
    }
    assertThat(await(other.store().peek(actor, 2)))
        .extracting(StoredSegment::sequence)
        .containsExactly(0L, 1L);
    assertThat(await(node.store().load(actor, node.claim(actor))).mail().messages()).isEqualTo(5);
  }

  @Test
  default void withMailNamesThoseWithMail() {
    TckNode node = open("node");
    ActorPath empty = mailbox(node, "/space/empty");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    assertThat(await(node.store().withMail(lease.partition()))).isEmpty();
    node.sends(TckUnit.tell(actor, "x", 1));
    assertThat(await(node.store().withMail(lease.partition()))).containsExactly(actor);
    node.applies(lease, TckUnit.turn(actor, 0, 1).upTo(1, 0, 0L).unit());
    assertThat(await(node.store().withMail(lease.partition()))).isEmpty();
    assertThat(await(node.store().actor(empty))).isPresent();
  }

  @Test
  default void actorsArePassedOnInPagesOfWhichTheNextWaitsForTheOneBefore() {
    TckNode node = open("node");
    int actors = 2 * Limits.PAGE_ACTORS + 1;
    for (int i = 0; i < actors; i++) {
      await(node.store().createMailbox(ActorPath.of("/pages/a" + i)));
    }
    Set<ActorPath> seen = new HashSet<>();
    AtomicBoolean busy = new AtomicBoolean();
    await(
        node.store()
            .eachActor(
                ActorPath.of("/pages"),
                page -> {
                  assertThat(busy.getAndSet(true)).as("another page is under way").isFalse();
                  assertThat(page.readable()).hasSizeBetween(1, Limits.PAGE_ACTORS);
                  page.readable().forEach(actor -> assertThat(seen.add(actor.path())).isTrue());
                  return node.store()
                      .partitions()
                      .map(
                          later -> {
                            busy.set(false);
                            return null;
                          });
                }));
    assertThat(seen).hasSize(actors);
    IllegalStateException enough = new IllegalStateException("enough");
    assertThatThrownBy(
            () ->
                await(
                    node.store()
                        .eachActor(ActorPath.of("/pages"), page -> Future.failedFuture(enough))))
        .hasStackTraceContaining("enough");
  }

  @Test
  default void theActorsOfAPartitionArePassedOnWithoutOthers() {
    TckNode node = open("node");
    Map<Partition, Set<ActorPath>> expected = new HashMap<>();
    for (int i = 0; i < 100; i++) {
      ActorPath actor = mailbox(node, "/parts/in/a" + i);
      expected.computeIfAbsent(node.partition(actor), key -> new HashSet<>()).add(actor);
      ActorPath beside = mailbox(node, "/parts/out/a" + i);
      expected.computeIfAbsent(node.partition(beside), key -> new HashSet<>());
    }
    expected.forEach(
        (partition, actors) -> {
          List<ActorPath> seen = new ArrayList<>();
          await(
              node.store()
                  .eachActor(
                      ActorPath.of("/parts/in"),
                      partition,
                      page -> {
                        page.readable().forEach(actor -> seen.add(actor.path()));
                        return Future.succeededFuture();
                      }));
          assertThat(seen).as("%s", partition).containsExactlyInAnyOrderElementsOf(actors);
        });
  }

  @Test
  default void aNewOwnerReadsWhatTheLastCommitted() {
    TckNode last = open("last");
    TckNode next = open("next");
    ActorPath actor = mailbox(last, "/handed/over");
    Lease lease = last.claim(actor);
    for (int turn = 1; turn <= 20; turn++) {
      last.applies(lease, TckUnit.turn(actor, turn - 1, turn).journal("j" + turn).unit());
    }
    await(last.store().release(lease));
    assertThat(next.claim(actor).epoch()).isEqualTo(lease.epoch() + 1);
    List<Long> turns = new ArrayList<>();
    await(
        next.store()
            .eachActor(
                actor,
                next.partition(actor),
                page -> {
                  page.readable().forEach(found -> turns.add(found.record().turn()));
                  return Future.succeededFuture();
                }));
    assertThat(turns).containsExactly(20L);
  }

  @Test
  default void actorsAreListedByWholeSegmentsInTheOrderOfTheirPaths() {
    TckNode node = open("node");
    for (String path :
        List.of("/space/b/2", "/space/b", "/space/bb", "/space/a", "/space/b/1", "/other/b")) {
      node.sends(TckUnit.tell(mailbox(node, path), "x", 1));
    }
    assertThat(
            await(node.store().actors(ActorPath.of("/space/b"), 100, Optional.empty())).readable())
        .extracting(actor -> actor.path().toString())
        .containsExactly("/space/b", "/space/b/1", "/space/b/2");
    assertThat(await(node.store().actors(ActorPath.of("/space"), 100, Optional.empty())).readable())
        .hasSize(5);
    assertThat(await(node.store().actors(ActorPath.of("/space"), 2, Optional.empty())).readable())
        .extracting(found -> found.path().toString())
        .containsExactly("/space/a", "/space/b");
    StoredActor actor = await(node.store().actor(ActorPath.of("/space/bb"))).orElseThrow();
    assertThat(actor.partition()).isEqualTo(node.partition(actor.path()));
    assertThat(actor.waiting()).isEqualTo(1);
    assertThat(actor.record().turn()).isZero();
  }

  @Test
  default void actorsAreListedInPagesOfTheLimitUntilNoneIsLeft() {
    TckNode node = open("node");
    ActorPath prefix = ActorPath.of("/paged");
    List<ActorPath> all = new ArrayList<>();
    for (int i = 0; i < 2 * Limits.PAGE_ACTORS + 3; i++) {
      all.add(mailbox(node, "/paged/a" + i));
    }
    ActorPath beside = mailbox(node, "/pagedon/a");
    all.sort(ActorPath::compareTo);
    for (int limit : List.of(1, Limits.PAGE_ACTORS, Limits.PAGE_ACTORS + 1, all.size(), 1_000)) {
      List<ActorPath> seen = new ArrayList<>();
      Optional<ActorPath> next = Optional.empty();
      do {
        StoredActors page = await(node.store().actors(prefix, limit, next));
        assertThat(page.readable()).hasSize(Math.min(limit, all.size() - seen.size()));
        page.readable().forEach(actor -> seen.add(actor.path()));
        next = page.next();
        assertThat(next).isEqualTo(seen.size() < all.size() ? last(seen) : Optional.empty());
      } while (next.isPresent());
      assertThat(seen).as("in pages of %d", limit).isEqualTo(all).doesNotContain(beside);
    }
    StoredActors behind =
        await(node.store().actors(prefix, 1, Optional.of(ActorPath.of("/paged/a1zzz"))));
    assertThat(behind.readable())
        .as("behind one that is not there, or no longer")
        .extracting(StoredActor::path)
        .containsExactly(ActorPath.of("/paged/a2"));
    assertThat(await(node.store().actors(prefix, 1, last(all))))
        .isEqualTo(new StoredActors(List.of(), Map.of(), Optional.empty()));
    for (int limit : List.of(0, -1, Limits.PAGE_LIMIT + 1)) {
      assertThatThrownBy(() -> await(node.store().actors(prefix, limit, Optional.empty())))
          .hasStackTraceContaining("a page holds 1 to 1000 actors, not " + limit);
    }
  }

  private static Optional<ActorPath> last(List<ActorPath> paths) {
    return Optional.of(paths.get(paths.size() - 1));
  }

  @Test
  default void aPageOfLargeRecordsEndsBeforeItsLimit() {
    TckNode node = open("node");
    ActorPath prefix = ActorPath.of("/large");
    JsonNode state = JsonNodeFactory.instance.textNode("x".repeat(700 << 10));
    for (int i = 0; i < 8; i++) {
      ActorPath actor = mailbox(node, "/large/a" + i);
      node.applies(node.claim(actor), TckUnit.turn(actor, 0, 1).snapshot(state).unit());
    }
    StoredActors first = await(node.store().actors(prefix, 100, Optional.empty()));
    assertThat(first.readable()).hasSize(6);
    StoredActors second = await(node.store().actors(prefix, 100, first.next()));
    assertThat(second.readable())
        .extracting(actor -> actor.path().toString())
        .containsExactly("/large/a6", "/large/a7");
    assertThat(second.next()).isEmpty();
  }

  @Test
  default void parkedMessagesKeepTheirIdsAndBytes() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    String id = "/job/run=1/100%~x.y:#17";
    node.applies(lease, TckUnit.turn(actor, 0, 1).parks(id, "bytes").parks("x#1", "y").unit());
    List<StoredParked> parked = await(node.store().parked(10));
    assertThat(parked).extracting(StoredParked::id).containsExactlyInAnyOrder(id, "x#1");
    assertThat(parked).allSatisfy(each -> assertThat(each.actor()).isEqualTo(actor));
    assertThat(parked)
        .filteredOn(each -> each.id().equals(id))
        .extracting(each -> new String(each.bytes(), StandardCharsets.UTF_8))
        .containsExactly("bytes");
    assertThat(await(node.store().parked(1))).hasSize(1);
    assertThat(await(node.store().parked(0))).isEmpty();
  }

  @Test
  default void theOwnerIsNotifiedOfMail() {
    TckNode owner = open("owner");
    TckNode sender = open("sender");
    ActorPath actor = mailbox(sender, "/space/a");
    Lease lease = owner.claim(actor);
    sender.sends(TckUnit.tell(actor, "x", 1));
    owner.hears("mail /space/a");
    owner.deaf();
    sender.sends(TckUnit.tell(actor, "x", 2));
    owner.hears("mail /space/a");
    assertThat(await(owner.store().load(actor, lease)).mail().segments()).hasSize(2);
  }

  @Test
  default void theOwnerIsNotifiedOfMailInItsNextSessionToo() {
    TckNode owner = open("owner");
    TckNode sender = open("sender");
    ActorPath actor = mailbox(sender, "/space/a");
    assertThat(owner.claim(actor).epoch()).isEqualTo(1);
    cell().expire(owner.store());
    owner.hears("sessionLost");
    assertThat(owner.renew().incarnation()).isPositive();
    owner.hears("connected");
    owner.deaf();
    sender.sends(TckUnit.tell(actor, "x", 1));
    owner.hears("mail /space/a");
  }
}
