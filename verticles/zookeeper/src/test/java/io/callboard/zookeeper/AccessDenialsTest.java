package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.DurableStateActor;
import io.callboard.Priority;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.codecs.ActorPath;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.zookeeper.access.ZooKeeperAccess;
import io.callboard.zookeeper.access.ZooKeeperCredentials;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.callboard.zookeeper.internal.layout.CellFormat;
import io.callboard.zookeeper.internal.layout.Layout;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * An access control list denies a node what it needs: the actor concerned fails at once, with the
 * cause, the node tells it, nothing is tried over and over, and others go on. Once an operator gave
 * the right back and resumed the actor, it runs.
 */
@Tag("real")
class AccessDenialsTest {
  private static final String SECRET = "callboard:secret";
  private static final String PATH = "/shop/till";
  private static final String OTHER = "/office/clerk";
  private static final Layout LAYOUT = new Layout("/callboard/main", CellFormat.DEFAULT_PARTITIONS);

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final Queue<String> handled = new ConcurrentLinkedQueue<>();
  private EmbeddedZooKeeper server;
  private ZooKeeper operator;
  private Callboard callboard;

  record Take(int number) {}

  record Taken(long value) {}

  final class Till extends DurableStateActor<Take, Taken> {
    @Override
    protected Taken initial() {
      return new Taken(0);
    }

    @Override
    protected void protocol(Protocol<Take> on) {
      on.message(
          Take.class,
          take -> {
            update(new Taken(state().value() + 1));
            afterCommit(() -> handled.add(self().path() + "#" + take.number()));
          });
    }
  }

  @BeforeEach
  void start() throws Exception {
    server = TestServers.start("denial");
    operator = RawClient.connect(server.connectString());
    operator.addAuthInfo("digest", SECRET.getBytes(StandardCharsets.UTF_8));
    callboard = open();
  }

  private Callboard open() {
    ZooKeeperAccess access = new ZooKeeperAccess(ZooKeeperCredentials.of("test", SECRET), null);
    ZooKeeperOptions options =
        new ZooKeeperOptions(
            server.connectString(), "main", Duration.ofSeconds(5), Duration.ofSeconds(10), access);
    return nodes.open(
        "node",
        more ->
            more.homeId("home")
                .sweepEvery(Duration.ofMillis(100))
                .store(() -> new ZooKeeperStore(options)));
  }

  @AfterEach
  void stop() throws Exception {
    nodes.close();
    operator.close();
    server.close();
  }

  private ActorRef<Take> spawn(String path) throws Exception {
    return await(callboard.spawn(path, Till::new, new ActorOptions()));
  }

  /** The actor has run and stopped, nobody owns its partition, then {@code path} is restricted. */
  private void afterARunRestrict(String path, int rights) throws Exception {
    await(spawn(PATH).tell(new Take(0)));
    Eventually.assertThat(() -> assertThat(handled).hasSize(1));
    nodes.close(callboard);
    restrict(path, rights);
    callboard = open();
  }

  private void restrict(String path, int rights) throws Exception {
    ACL acl = new ACL(rights | Perms.ADMIN, Ids.AUTH_IDS);
    assertThat(operator.setACL(path, Collections.singletonList(acl), -1)).isNotNull();
  }

  private static String lease() {
    return LAYOUT.lease(ActorPath.of(PATH).partition(LAYOUT.partitions()));
  }

  private ActorStatus status(String path) {
    return await(callboard.admin().running()).stream()
        .filter(actor -> actor.path().toString().equals(path))
        .findFirst()
        .orElseThrow();
  }

  private void startIsDenied() {
    assertThatThrownBy(() -> spawn(PATH))
        .hasMessageContaining(PATH)
        .hasMessageContaining("denies")
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(Code.START_FAILED));
  }

  /** Waits until the actor is failed, and checks that it stays so over many sweeps. */
  private void isFailedForGood() {
    Eventually.assertThat(() -> assertThat(status(PATH).state()).isEqualTo(State.FAILED));
    assertThat(callboard.admin().denied())
        .hasValueSatisfying(
            why ->
                assertThat(why)
                    .startsWith("this node may not access ")
                    .containsIgnoringCase("denie"));
    long failures = status(PATH).failures();
    long sent = server.server().serverStats().getPacketsReceived();
    long end = System.nanoTime() + Duration.ofSeconds(1).toNanos();
    Eventually.assertThat(() -> assertThat(System.nanoTime()).isGreaterThan(end));
    ActorStatus status = status(PATH);
    assertThat(status.state()).isEqualTo(State.FAILED);
    assertThat(status.restarts()).isZero();
    assertThat(status.failures()).isEqualTo(failures);
    assertThat(status.lastFailure()).containsIgnoringCase("denie");
    assertThat(server.server().serverStats().getPacketsReceived() - sent)
        .as("requests within a second, ten sweeps of some requests each")
        .isLessThan(400);
  }

  private void runsAgainAfterResume(String path) throws Exception {
    restrict(path, Perms.ALL);
    await(callboard.admin().resume(PATH));
    Eventually.assertThat(() -> assertThat(status(PATH).state()).isEqualTo(State.RUNNING));
    await(callboard.durableRef(PATH, Take.class).tell(new Take(99)));
    Eventually.assertThat(() -> assertThat(handled).contains(PATH + "#99"));
    Eventually.assertThat(() -> assertThat(callboard.admin().denied()).isEmpty());
  }

  @Test
  void aClaimThatIsDenied() throws Exception {
    afterARunRestrict(lease(), Perms.READ);
    startIsDenied();
    isFailedForGood();
    await(spawn(OTHER).tell(new Take(1)));
    Eventually.assertThat(() -> assertThat(handled).contains(OTHER + "#1"));
    runsAgainAfterResume(lease());
  }

  @Test
  void leasesThatCannotBeRead() throws Exception {
    afterARunRestrict(lease(), 0);
    startIsDenied();
    isFailedForGood();
    runsAgainAfterResume(lease());
  }

  @Test
  void aRecordThatCannotBeRead() throws Exception {
    String record = LAYOUT.record(ActorPath.of(PATH));
    afterARunRestrict(record, 0);
    startIsDenied();
    isFailedForGood();
    runsAgainAfterResume(record);
  }

  @Test
  void mailThatCannotBeLookedFor() throws Exception {
    ActorPath path = ActorPath.of(PATH);
    String mailboxes = LAYOUT.mailboxes(path.partition(LAYOUT.partitions()));
    ActorRef<Take> till = spawn(PATH);
    restrict(mailboxes, Perms.CREATE | Perms.DELETE | Perms.WRITE);
    Eventually.assertThat(
        () ->
            assertThat(callboard.admin().denied())
                .hasValueSatisfying(t -> assertThat(t).contains("mail")));
    restrict(mailboxes, Perms.ALL);
    Eventually.assertThat(() -> assertThat(callboard.admin().denied()).isEmpty());
    await(till.tell(new Take(1)));
    Eventually.assertThat(() -> assertThat(handled).contains(PATH + "#1"));
  }

  @Test
  void aTurnThatCannotBeCommitted() throws Exception {
    ActorRef<Take> till = spawn(PATH);
    ActorRef<Take> clerk = spawn(OTHER);
    String record = LAYOUT.record(ActorPath.of(PATH));
    restrict(record, Perms.READ);
    for (int i = 0; i < 20; i++) {
      await(Future.all(till.tell(new Take(i)), clerk.tell(new Take(i))));
    }
    isFailedForGood();
    Eventually.assertThat(() -> assertThat(handled).hasSize(20));
    assertThat(handled).allMatch(what -> what.startsWith(OTHER + "#"));
    assertThat(status(OTHER).failures()).as("the other's turns were in the same commits").isZero();
    runsAgainAfterResume(record);
    Eventually.assertThat(() -> assertThat(handled).hasSize(41).doesNotHaveDuplicates());
  }

  @Test
  void aMailboxThatMayNotBeMadeOrWrittenTo() throws Exception {
    spawn(PATH);
    ActorPath path = ActorPath.of(PATH);
    restrict(LAYOUT.mailbox(path, 0), 0);
    tellIsDenied(PATH);
    restrict(LAYOUT.mailbox(path, 0), Perms.ALL);
    String mailboxes = LAYOUT.mailboxes(path.partition(LAYOUT.partitions()));
    restrict(mailboxes, Perms.READ);
    ActorPath sibling = sibling(path);
    tellIsDenied(sibling.toString());
    await(spawn(OTHER).tell(new Take(1)));
    Eventually.assertThat(() -> assertThat(handled).contains(OTHER + "#1"));
  }

  private static ActorPath sibling(ActorPath path) {
    for (int i = 0; ; i++) {
      ActorPath other = ActorPath.of("/shop/other" + i);
      if (other.partition(LAYOUT.partitions()).equals(path.partition(LAYOUT.partitions()))) {
        return other;
      }
    }
  }

  private void tellIsDenied(String path) {
    TellOptions byMailbox = TellOptions.priority(Priority.HIGH);
    ActorRef<Take> ref = callboard.durableRef(path, Take.class);
    assertThatThrownBy(() -> await(ref.tell(new Take(5), byMailbox)))
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(Code.DENIED));
  }
}
