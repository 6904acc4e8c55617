package io.callboard.bench;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.journal.SnapshotPolicy;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Our persistent actors, each of whose commands leads to some events of 100 characters. */
final class Writers extends Unanswered {
  static final String TEXT = "x".repeat(100);

  private final List<ActorRef<Write>> actors = new ArrayList<>();
  private final List<Written> events;
  private volatile long begunWith;

  /** Persists so many events. */
  record Write(int events) {}

  /** The event. */
  record Written(String text) {}

  /** State: the number of events. */
  record Count(long events) {}

  /**
   * @param path of the actors' parent, new in this cell
   */
  Writers(Node node, String path, int actors, int most, int events, SnapshotPolicy snapshots)
      throws Exception {
    super(most, events);
    this.events = Collections.nCopies(events, new Written(TEXT));
    ActorOptions options = new ActorOptions().snapshots(snapshots);
    for (int i = 0; i < actors; i++) {
      this.actors.add(node.spawn("%s/writer-%d".formatted(path, i), this::writer, options));
    }
  }

  /** Returns a new object of such an actor. */
  PersistentActor<Write, Written, Count> writer() {
    return new Writer();
  }

  /** Returns the number of events with which the last object began. */
  long events() {
    return begunWith;
  }

  private final class Writer extends PersistentActor<Write, Written, Count> {
    @Override
    protected Count initial() {
      return new Count(0);
    }

    @Override
    protected Count apply(Count count, Written event) {
      return new Count(count.events() + 1);
    }

    @Override
    protected Future<?> started() {
      begunWith = state().events();
      return Future.succeededFuture();
    }

    @Override
    protected void protocol(Protocol<Write> on) {
      on.message(Write.class, this::write);
    }

    private void write(Write write) {
      persistAll(events);
      reply(state());
      afterCommit(Writers.this::answered);
    }
  }

  @Override
  void send(long number) {
    actors.get((int) (number % actors.size())).tell(new Write(1)).onFailure(cause -> failed());
  }

  /** Sends one command and awaits its answer. */
  void ask() throws Exception {
    Count unused = Node.await(actors.get(0).ask(new Write(1), Count.class));
  }
}
