package io.callboard.testkit.tck;

import static io.callboard.testkit.tck.TckNode.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.Envelope;
import io.callboard.codecs.Segment;
import io.callboard.store.BlobKey;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitUnit;
import io.callboard.store.Lease;
import io.callboard.store.Limits;
import io.callboard.store.StoreException.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Cases of the bodies of large messages. */
interface BlobCases extends TckStage {
  private static byte[] body(int bytes) {
    byte[] body = new byte[bytes];
    new SplittableRandom(bytes).nextBytes(body);
    return body;
  }

  private static BlobKey write(TckNode node, ActorPath receiver, int bytes) {
    return new BlobKey(receiver, await(node.store().blobs().write(receiver, body(bytes))));
  }

  private static List<BlobRef> mail(TckNode node, ActorPath actor) {
    return node.segments(actor).stream()
        .flatMap(segment -> Segment.decode("it", segment.bytes()).stream())
        .map(Envelope::blob)
        .toList();
  }

  @Test
  default void aBodyOfAnySizeIsReadByAnyNodeAsItWasWritten() {
    TckNode node = open("node");
    TckNode other = open("other");
    ActorPath nobody = ActorPath.of("/space/nobody");
    Set<String> ids = new LinkedHashSet<>();
    int half = 512 << 10;
    for (int bytes : new int[] {1, half - 1, half, half + 1, 3 << 20, Limits.MESSAGE_BYTES}) {
      BlobKey key = write(node, nobody, bytes);
      assertThat(key.blob().bytes()).isEqualTo(bytes);
      assertThat(await(other.store().blobs().isWhole(key))).isTrue();
      assertThat(Arrays.equals(await(other.store().blobs().read(key)), body(bytes))).isTrue();
      assertThat(ids.add(key.blob().id())).isTrue();
    }
    assertThat(await(node.store().actors(nobody, 100, Optional.empty())).readable())
        .as("no actor comes of it")
        .isEmpty();
  }

  @Test
  default void aBodyOverTheLimitIsNoBlob() {
    TckNode node = open("node");
    ActorPath actor = ActorPath.of("/space/a");
    for (int bytes : new int[] {0, Limits.MESSAGE_BYTES + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> await(node.store().blobs().write(actor, new byte[bytes])))
          .withMessageContaining(String.valueOf(bytes));
    }
  }

  private static BlobKey keep(TckNode node, ActorPath owner, int bytes) {
    return new BlobKey(owner, await(node.store().blobs().keep(owner, body(bytes))));
  }

  @Test
  default void aBlobThatAnActorKeepsStaysUntilItIsReleased() {
    TckNode node = open("node");
    TckNode other = open("other");
    ActorPath owner = mailbox(node, "/space/a");
    ActorPath neighbour = ActorPath.of("/space/ab");
    BlobKey small = keep(node, owner, 1);
    BlobKey large = keep(other, owner, Limits.MESSAGE_BYTES);
    BlobKey message = write(node, owner, 40_000);
    BlobKey others = keep(node, neighbour, 40_000);
    assertThat(List.of(small, large, others)).allMatch(key -> key.blob().isKept());
    assertThat(message.blob().isKept()).isFalse();
    assertThat(Arrays.equals(await(node.store().blobs().read(large)), body(large.blob().bytes())))
        .isTrue();
    assertThat(await(other.store().blobs().release(owner))).isEqualTo(2);
    for (BlobKey gone : List.of(small, large)) {
      assertThat(await(node.store().blobs().isWhole(gone))).isFalse();
      fails(Kind.CORRUPT, node.store().blobs().read(gone));
      fails(Kind.CONFLICT, node.store().blobs().forsake(gone));
    }
    assertThat(await(node.store().blobs().read(message))).hasSize(40_000);
    assertThat(await(node.store().blobs().read(others))).hasSize(40_000);
    assertThat(await(node.store().blobs().release(owner))).as("again").isZero();
    await(node.store().blobs().forsake(others));
    assertThat(await(node.store().blobs().release(neighbour))).isZero();
  }

  @Test
  default void anActorMayKeepManyAndNeedNotBeStored() {
    TckNode node = open("node");
    ActorPath nobody = ActorPath.of("/space/nobody");
    assertThat(await(node.store().blobs().release(nobody))).isZero();
    Set<String> ids = new LinkedHashSet<>();
    for (int i = 0; i < 100; i++) {
      assertThat(ids.add(keep(node, nobody, 100).blob().id())).isTrue();
    }
    assertThat(await(node.store().blobs().release(nobody))).isEqualTo(100);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> await(node.store().blobs().keep(nobody, new byte[0])));
  }

  @Test
  default void aBlobThatIsNotThereAsItWasWrittenIsCorrupt() {
    TckNode node = open("node");
    ActorPath actor = ActorPath.of("/space/a");
    BlobKey key = write(node, actor, 600_000);
    BlobRef blob = key.blob();
    BlobRef other = new BlobRef(blob.id(), blob.bytes(), blob.parts(), "00000000");
    fails(Kind.CORRUPT, node.store().blobs().read(new BlobKey(actor, other)));
    BlobRef shorter = new BlobRef(blob.id(), 500_000, 1, blob.crc());
    fails(Kind.CORRUPT, node.store().blobs().read(new BlobKey(actor, shorter)));
    BlobKey elsewhere = new BlobKey(ActorPath.of("/space/b"), blob);
    fails(Kind.CORRUPT, node.store().blobs().read(elsewhere));
    assertThat(await(node.store().blobs().isWhole(elsewhere))).isFalse();
    cell().loseBlob(key);
    fails(Kind.CORRUPT, node.store().blobs().read(key));
    assertThat(await(node.store().blobs().isWhole(key))).isFalse();
  }

  @Test
  default void aMessageNamesABlobThatIsThere() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    BlobKey key = write(node, actor, 600_000);
    node.sends(TckUnit.tell(actor, "x", 1), TckUnit.tellBlob(key, 2));
    assertThat(mail(node, actor)).containsExactly(null, key.blob());
    fails(Kind.CONFLICT, node.store().blobs().forsake(key));
    assertThat(await(node.store().blobs().read(key))).hasSize(600_000);
  }

  @Test
  default void aMessageWhoseBlobIsNotThereIsRefused() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    BlobKey key = write(node, actor, 600_000);
    await(node.store().blobs().forsake(key));
    assertThat(await(node.store().blobs().isWhole(key))).isFalse();
    fails(Kind.CONFLICT, node.store().blobs().forsake(key));
    CommitUnit tell = TckUnit.tell(actor, "x", 1);
    assertThat(node.refuses(Reason.STALE, 1, Set.of(), tell, TckUnit.tellBlob(key, 2)).receiver())
        .contains(actor);
    assertThat(node.segments(actor)).isEmpty();
  }

  @Test
  default void aBlobGoesWithTheTurnThatIsThroughWithIt() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    BlobKey first = write(node, actor, 40_000);
    BlobKey second = write(node, actor, 600_000);
    node.sends(TckUnit.tellBlob(first, 1), TckUnit.tellBlob(second, 2));
    Lease lease = node.claim(actor);
    node.applies(lease, TckUnit.turn(actor, 0, 1).upTo(0, 1).removes(first).unit());
    assertThat(await(node.store().blobs().isWhole(first))).isFalse();
    assertThat(await(node.store().blobs().isWhole(second))).isTrue();
    node.applies(lease, TckUnit.turn(actor, 1, 2).upTo(1, 0, 0L).removes(second).unit());
    assertThat(await(node.store().blobs().isWhole(second))).isFalse();
    assertThat(node.segments(actor)).isEmpty();
  }

  /** Checks that a blob which is gone already keeps no actor from its turns. */
  @Test
  default void aTurnThatRemovesABlobThatIsGoneIsApplied() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    BlobKey[] keys = new BlobKey[8];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = write(node, actor, 600_000);
      node.sends(TckUnit.tellBlob(keys[i], i + 1));
    }
    Lease lease = node.claim(actor);
    for (int i = 0; i < keys.length - 1; i++) {
      cell().loseBlob(keys[i]);
    }
    TckUnit turn = TckUnit.turn(actor, 0, 1).upTo(keys.length, 0, 0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
    node.applies(lease, turn.removes(keys).unit());
    assertThat(await(node.store().blobs().isWhole(keys[keys.length - 1]))).isFalse();
    assertThat(node.segments(actor)).isEmpty();
  }

  @Test
  default void aParkedMessageKeepsItsBlobAndAReplayNamesItAgain() {
    TckNode node = open("node");
    TckNode other = open("other");
    ActorPath actor = mailbox(node, "/space/a");
    BlobKey key = write(node, actor, 40_000);
    node.sends(TckUnit.tellBlob(key, 1));
    Lease lease = node.claim(actor);
    node.applies(lease, TckUnit.turn(actor, 0, 1).upTo(1, 0, 0L).parks("0-0", "it").unit());
    assertThat(await(other.store().blobs().isWhole(key))).isTrue();
    CommitUnit replay = TckUnit.tellBlob(key, 2);
    other.sends(
        new CommitUnit(
            Optional.empty(), replay.outgoing(), TckUnit.discard(actor, "0-0").unparked()));
    assertThat(mail(node, actor)).containsExactly(key.blob());
    node.applies(lease, TckUnit.turn(actor, 1, 2).upTo(2, 0, 1L).parks("1-0", "it").unit());
    CommitUnit discard = TckUnit.discard(actor, "1-0");
    other.sends(new CommitUnit(Optional.empty(), Map.of(), discard.unparked(), Set.of(key)));
    assertThat(await(node.store().blobs().isWhole(key))).isFalse();
  }

  @Test
  default void oneCommitNamesAndRemovesMany() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    List<BlobKey> keys = new ArrayList<>();
    CommitUnit[] tells = new CommitUnit[200];
    for (int i = 0; i < tells.length; i++) {
      keys.add(write(node, actor, 100));
      tells[i] = TckUnit.tellBlob(keys.get(i), i);
    }
    node.sends(tells);
    Lease lease = node.claim(actor);
    TckUnit turn = TckUnit.turn(actor, 0, 1).upTo(1, 0, 0L);
    node.applies(lease, turn.removes(keys.toArray(BlobKey[]::new)).unit());
    for (BlobKey key : keys) {
      assertThat(await(node.store().blobs().isWhole(key))).isFalse();
    }
  }
}
