package io.callboard.testkit.tck;

import static io.callboard.testkit.tck.TckNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.Partition;
import io.callboard.store.Lease;
import io.callboard.store.Limits;
import io.callboard.store.StoreException.Kind;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Cases of the documents of roles. */
interface DocumentCases extends TckStage {
  Partition ROLE = Partition.ofRole("clerk");

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String read(TckNode node, Partition role) {
    return new String(await(node.store().document(role)).orElseThrow(), StandardCharsets.UTF_8);
  }

  @Test
  default void aDocumentIsReadByAnyNodeAsItsHolderWroteIt() {
    TckNode holder = open("node");
    TckNode other = open("other");
    assertThat(await(other.store().document(ROLE))).isEmpty();
    Lease lease = await(holder.store().claim(ROLE, Optional.empty()));
    await(holder.store().keepDocument(lease, text("one")));
    assertThat(read(other, ROLE)).isEqualTo("one");
    await(holder.store().keepDocument(lease, text("two")));
    assertThat(read(other, ROLE)).isEqualTo("two");
    assertThat(await(other.store().document(Partition.ofRole("porter")))).isEmpty();
  }

  @Test
  default void aHolderThatWasReplacedWritesNoDocumentAndTheNextFindsTheLast() {
    TckNode holder = open("node");
    TckNode next = open("other");
    Lease before = await(holder.store().claim(ROLE, Optional.empty()));
    await(holder.store().keepDocument(before, text("first")));
    Lease now = await(next.store().claim(ROLE, Optional.of(before)));
    fails(Kind.CONFLICT, holder.store().keepDocument(before, text("late")));
    assertThat(read(next, ROLE)).isEqualTo("first");
    await(next.store().keepDocument(now, text("second")));
    fails(Kind.CONFLICT, holder.store().keepDocument(before, text("later")));
    assertThat(read(holder, ROLE)).isEqualTo("second");
  }

  @Test
  default void theFirstDocumentIsFencedToo() {
    TckNode holder = open("node");
    TckNode next = open("other");
    Lease before = await(holder.store().claim(ROLE, Optional.empty()));
    Lease unused = await(next.store().claim(ROLE, Optional.of(before)));
    fails(Kind.CONFLICT, holder.store().keepDocument(before, text("late")));
    assertThat(await(next.store().document(ROLE))).isEmpty();
  }

  @Test
  default void aDocumentHasALimit() {
    TckNode holder = open("node");
    Lease lease = await(holder.store().claim(ROLE, Optional.empty()));
    byte[] most = new byte[Limits.DOCUMENT_BYTES];
    await(holder.store().keepDocument(lease, most));
    assertThat(await(holder.store().document(ROLE)).orElseThrow()).isEqualTo(most);
    Future<Void> refused = holder.store().keepDocument(lease, new byte[Limits.DOCUMENT_BYTES + 1]);
    assertThat(refused.toCompletionStage().toCompletableFuture())
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableThat()
        .withMessageContaining("at most %d bytes".formatted(Limits.DOCUMENT_BYTES));
    assertThat(await(holder.store().document(ROLE)).orElseThrow()).isEqualTo(most);
  }
}
