package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.ActorRecord;
import io.callboard.store.Member;
import io.callboard.store.StoreListener;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredParked;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.callboard.zookeeper.fsck.Fsck;
import io.callboard.zookeeper.fsck.FsckOptions;
import io.callboard.zookeeper.internal.layout.CellFormat;
import io.callboard.zookeeper.internal.layout.Layout;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Answers of more than 1 MiB, where ZooKeeper's client by default drops the connection: facts of
 * members, and the names of what a partition holds.
 */
@Tag("real")
class LargeAnswersTest {
  private static final int AT_ONCE = 500;
  private static final int MANY = 6_000;
  private static final String LONG = "n".repeat(180);

  private static EmbeddedZooKeeper server;
  private static ZooKeeper raw;

  private final ZooKeeperOptions cell =
      new ZooKeeperOptions(
          server.connectString(),
          "cell-" + System.nanoTime(),
          Duration.ofSeconds(60), // a busy machine is no reason to lose a connection
          Duration.ofSeconds(10));
  private final Layout layout = new Layout(cell.root(), CellFormat.DEFAULT_PARTITIONS);
  private final AtomicInteger disconnects = new AtomicInteger();

  @BeforeAll
  static void startServer() throws IOException, InterruptedException {
    server = TestServers.start("large-answers");
    raw = RawClient.connect(server.connectString());
  }

  @AfterAll
  static void stopServer() throws InterruptedException {
    raw.close();
    server.close();
  }

  private TestNode open(String name) throws Exception {
    TestNode node = new TestNode(cell);
    node.store().listen(new Disconnects());
    return node.open(name);
  }

  private final class Disconnects implements StoreListener {
    @Override
    public void mail(ActorPath actor, long sequence) {}

    @Override
    public void leaseChanged(Partition partition) {}

    @Override
    public void membersChanged() {}

    @Override
    public void connected() {}

    @Override
    public void sessionLost() {}

    @Override
    public void disconnected() {
      disconnects.incrementAndGet();
    }
  }

  /** {@link #MANY} different actors of one partition of the space. */
  private static List<ActorPath> actorsOfOnePartition(String space) {
    Partition partition = actor(space, 0).partition(CellFormat.DEFAULT_PARTITIONS);
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> actor(space, i))
        .filter(actor -> actor.partition(CellFormat.DEFAULT_PARTITIONS).equals(partition))
        .limit(MANY)
        .toList();
  }

  private static ActorPath actor(String space, int number) {
    return ActorPath.of("/%s/%s%06d".formatted(space, LONG, number));
  }

  private static void make(Stream<String> paths, byte[] data) throws Exception {
    List<Op> creates =
        paths
            .map(path -> Op.create(path, data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT))
            .toList();
    for (int from = 0; from < creates.size(); from += AT_ONCE) {
      raw.multi(creates.subList(from, Math.min(creates.size(), from + AT_ONCE)));
    }
  }

  @Test
  void membersAreReadHoweverMuchTheyTellOfThemselves() throws Exception {
    Map<String, String> facts = new TreeMap<>();
    IntStream.range(0, 6).forEach(i -> facts.put("fact-" + i, "x".repeat(60_000)));
    try (TestNode one = open("one");
        TestNode two = open("two");
        TestNode three = open("three")) {
      for (TestNode node : List.of(one, two, three)) {
        await(node.store().publish(facts));
      }
      assertThat(await(one.store().members()))
          .extracting(Member::name)
          .containsExactlyInAnyOrder("one", "two", "three");
      assertThat(await(two.store().members()))
          .allSatisfy(member -> assertThat(member.facts()).containsAllEntriesOf(facts));
    }
    assertThat(disconnects).as("connections lost").hasValue(0);
  }

  @Test
  void parkedMessagesAreListedHoweverManyThereAre() throws Exception {
    try (TestNode node = open("one")) {
      ActorPath actor = actor("parked", 0);
      node.claim(actor);
      make(IntStream.range(0, MANY).mapToObj(i -> layout.parked(actor, i + "-0")), new byte[1]);
      assertThat(await(node.store().parked(10))).hasSize(10);
      assertThat(await(node.store().parked(10)))
          .extracting(StoredParked::id)
          .isEqualTo(sorted(MANY, 10));
      assertThat(await(node.store().parkedKeys(Optional.of(actor)))).hasSize(MANY);
      assertThat(await(node.store().parkedKeys(Optional.empty()))).hasSize(MANY);
    }
    assertThat(disconnects).as("connections lost").hasValue(0);
  }

  private static List<String> sorted(int all, int limit) {
    return IntStream.range(0, all).mapToObj(i -> i + "-0").sorted().limit(limit).toList();
  }

  @Test
  @Tag("long")
  void actorsAreListedHoweverManyThereAre() throws Exception {
    List<ActorPath> actors = actorsOfOnePartition("many");
    try (TestNode node = open("one")) {
      node.tell(actors.get(0));
      String mailbox = layout.mailbox(actors.get(0), 0);
      make(below(actors, layout::record), ActorRecord.EMPTY.encode());
      make(below(actors, actor -> layout.mailbox(actor, 0)), raw.getData(mailbox, false, null));
      Partition partition = actors.get(0).partition(CellFormat.DEFAULT_PARTITIONS);
      assertThat(await(node.store().withMail(partition))).containsExactly(actors.get(0));
      assertThat(await(node.store().actors(ActorPath.of("/many"), 10, Optional.empty())).readable())
          .extracting(StoredActor::path)
          .isEqualTo(actors.stream().sorted().limit(10).toList());
      Set<ActorPath> seen = new HashSet<>();
      await(
          node.store()
              .eachActor(
                  ActorPath.of("/many"),
                  page -> {
                    page.readable().forEach(actor -> seen.add(actor.path()));
                    return Future.succeededFuture();
                  }));
      assertThat(seen).containsExactlyInAnyOrderElementsOf(actors);
    }
    assertThat(disconnects).as("connections lost").hasValue(0);
    Clock later = Clock.fixed(Instant.now().plus(Duration.ofHours(1)), ZoneOffset.UTC);
    assertThat(Fsck.run(cell, FsckOptions.DRY_RUN, later)).isEmpty();
  }

  @Test
  @Tag("nightly")
  void aMillionActorsAndAHundredThousandParkedMessagesAreListed() throws Exception {
    int actors = 1_000_000;
    int parked = 100_000;
    ActorPath prefix = ActorPath.of("/million");
    try (TestNode node = open("one")) {
      ActorPath first = ActorPath.of("/million/a0");
      node.tell(first);
      byte[] header = raw.getData(layout.mailbox(first, 0), false, null);
      for (int i = 0; i < CellFormat.DEFAULT_PARTITIONS; i++) {
        await(node.store().claim(new Partition("million", i), Optional.empty()));
      }
      List<ActorPath> all =
          IntStream.range(1, actors).mapToObj(i -> ActorPath.of("/million/a" + i)).toList();
      make(all.stream().map(layout::record), ActorRecord.EMPTY.encode());
      make(all.stream().map(actor -> layout.mailbox(actor, 0)), header);
      make(IntStream.range(0, parked).mapToObj(i -> layout.parked(first, i + "-0")), new byte[1]);
      assertThat(await(node.store().parked(100))).hasSize(100);
      assertThat(await(node.store().parkedKeys(Optional.of(prefix)))).hasSize(parked);
      assertThat(await(node.store().actors(prefix, 100, Optional.empty())).readable()).hasSize(100);
      for (int i = 0; i < CellFormat.DEFAULT_PARTITIONS; i++) {
        assertThat(await(node.store().withMail(new Partition("million", i))))
            .hasSizeLessThanOrEqualTo(1);
      }
      AtomicInteger seen = new AtomicInteger();
      node.store()
          .eachActor(
              prefix,
              page -> {
                seen.addAndGet(page.readable().size());
                return Future.succeededFuture();
              })
          .await(10, TimeUnit.MINUTES);
      assertThat(seen).hasValue(actors);
    }
    assertThat(disconnects).as("connections lost").hasValue(0);
    Clock later = Clock.fixed(Instant.now().plus(Duration.ofHours(1)), ZoneOffset.UTC);
    assertThat(Fsck.run(cell, FsckOptions.DRY_RUN, later)).isEmpty();
  }

  private static Stream<String> below(List<ActorPath> actors, Function<ActorPath, String> path) {
    Predicate<ActorPath> isNew = actor -> !actor.equals(actors.get(0));
    return new ArrayList<>(actors).stream().filter(isNew).map(path);
  }
}
