package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.cell.LeaseListener;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.placement.Decisions.Claim;
import io.callboard.store.Lease;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a program is told of the partitions of its node, and what it can read of them. */
class OwnedPartitionsTest {
  private static final ActorPath NOTES = ActorPath.of("/notes");
  private static final Duration ASK = Duration.ofSeconds(10);

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  /** Message that is the next state. */
  record Note(String text) {}

  /** Actor that keeps the last message. */
  static final class NoteActor extends DurableStateActor<Note, Note> {
    @Override
    protected Note initial() {
      return new Note("");
    }

    @Override
    protected void protocol(Protocol<Note> on) {
      on.message(
          Note.class,
          note -> {
            update(note);
            reply(note);
          });
    }
  }

  /** Partitions of a node, as its listener is told. */
  private static final class Owned implements LeaseListener {
    private final Set<Partition> partitions = ConcurrentHashMap.newKeySet();

    @Override
    public void held(List<Lease> leases) {
      leases.forEach(lease -> gained(lease.partition()));
    }

    @Override
    public void gained(Lease lease, Claim claim) {
      gained(lease.partition());
    }

    private void gained(Partition partition) {
      if (partition.space().equals("notes")) {
        partitions.add(partition);
      }
    }

    @Override
    public void lost(Partition partition) {
      partitions.remove(partition);
    }
  }

  private Callboard open(String name) {
    Callboard node = nodes.open(name);
    await(node.host(NOTES.toString(), NoteActor::new, new ActorOptions()));
    return node;
  }

  private static void write(Callboard node, int number) {
    await(
        node.durableRef(NOTES + "/n" + number, Note.class)
            .ask(new Note("text " + number), Note.class, ASK));
  }

  private static Set<String> read(Callboard node, Set<Partition> partitions) {
    Set<String> found = new ConcurrentSkipListSet<>();
    for (Partition partition : partitions) {
      await(
          node.leases()
              .actors(
                  partition,
                  NOTES,
                  page -> page.readable().forEach(actor -> found.add(actor.path().name()))));
    }
    return found;
  }

  @Test
  void aListenerLearnsWhatIsHeldGainedAndLost() {
    Callboard first = open("first");
    int all = first.leases().partitionsOfSpace();
    for (int i = 0; i < 50; i++) {
      write(first, i);
    }
    Owned ofFirst = new Owned();
    first.leases().listen(ofFirst);
    Eventually.assertThat(() -> assertThat(ofFirst.partitions).hasSize(all));
    assertThat(read(first, ofFirst.partitions)).hasSize(50);

    Callboard second = nodes.open("second");
    Owned ofSecond = new Owned();
    second.leases().listen(ofSecond);
    await(second.host(NOTES.toString(), NoteActor::new, new ActorOptions()));
    Set<Partition> here = new HashSet<>();
    Set<Partition> there = new HashSet<>();
    Eventually.assertThat(
        () -> { // at one moment of the hand-over, which goes on
          here.clear();
          here.addAll(ofFirst.partitions);
          there.clear();
          there.addAll(ofSecond.partitions);
          assertThat(there).isNotEmpty().matches(held -> Collections.disjoint(held, here));
          assertThat(here).hasSize(all - there.size());
        });
    Set<String> divided = new HashSet<>(read(first, here));
    Set<String> rest = read(second, there);
    assertThat(divided).matches(names -> Collections.disjoint(names, rest)); // one may be empty
    divided.addAll(rest);
    assertThat(divided).hasSize(50);

    nodes.close(first);
    Eventually.assertThat(() -> assertThat(ofSecond.partitions).hasSize(all));
    assertThat(read(second, ofSecond.partitions)).hasSize(50);
  }

  @Test
  void pagesComeOnTheCallersContextAndItsFailureEndsThem() {
    Callboard node = open("first");
    write(node, 1);
    Partition partition = ActorPath.of(NOTES + "/n1").partition(node.leases().partitionsOfSpace());
    Context context = node.vertx().getOrCreateContext();
    Set<Context> seen = ConcurrentHashMap.newKeySet();
    Future<Void> read =
        Future.future(
            done ->
                context.runOnContext(
                    v ->
                        node.leases()
                            .actors(
                                partition,
                                NOTES,
                                page -> seen.add(node.vertx().getOrCreateContext()))
                            .onComplete(done)));
    await(read);
    assertThat(seen).containsExactly(context);
    IllegalStateException enough = new IllegalStateException("enough");
    assertThatThrownBy(
            () ->
                await(
                    node.leases()
                        .actors(
                            partition,
                            NOTES,
                            page -> {
                              throw enough;
                            })))
        .hasStackTraceContaining("enough");
  }
}
