package io.callboard.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.callboard.codecs.ActorPath;
import io.callboard.store.StoreException;
import io.vertx.core.Future;
import java.util.UUID;

/** Fixture of the cases. */
interface TckStage {
  TckCell cell();

  /** Continues with a new cell. */
  void freshCell(int mailboxLimit);

  /** Creates another node, not opened. */
  TckNode node();

  /** Opens another node under that name, with a boot id and a home of its own. */
  default TckNode open(String name) {
    TckNode node = node();
    String unique = UUID.randomUUID().toString();
    assertThat(node.open(name, unique, unique).partitions()).isPositive();
    return node;
  }

  /** Returns a path whose mailbox and record exist. */
  default ActorPath mailbox(TckNode node, String path) {
    ActorPath actor = ActorPath.of(path);
    TckNode.await(node.store().createMailbox(actor));
    return actor;
  }

  default void fails(StoreException.Kind kind, Future<?> future) {
    StoreException failure =
        catchThrowableOfType(StoreException.class, () -> TckNode.await(future));
    assertThat(failure).isNotNull();
    assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(kind);
  }
}
