package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.codecs.ActorPath;
import io.callboard.store.CommitOutcome.Applied;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.StoreException;
import io.callboard.store.StoreException.Kind;
import io.callboard.zookeeper.access.ZooKeeperAccess;
import io.callboard.zookeeper.access.ZooKeeperCredentials;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoAuthException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A cell behind credentials: its nodes can do all, others nothing. */
@Tag("real")
class AccessTest {
  private static final String SECRET = "callboard:sEcr:t word";
  private static final ActorPath ACTOR = ActorPath.of("/space/b");
  @AutoClose private static final EmbeddedZooKeeper server = TestServers.start("access");

  private final String chroot = "/c" + System.nanoTime();
  private final String root = chroot + "/callboard/main";

  private ZooKeeperOptions options(ZooKeeperAccess access) {
    return new ZooKeeperOptions(
        server.connectString() + chroot,
        "main",
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        access);
  }

  private static ZooKeeperAccess with(String secret) {
    return new ZooKeeperAccess(ZooKeeperCredentials.of("test", secret), null);
  }

  private static ZooKeeper raw(String secret) throws Exception {
    ZooKeeper client = RawClient.connect(server.connectString());
    if (!secret.isEmpty()) {
      client.addAuthInfo("digest", secret.getBytes(StandardCharsets.UTF_8));
    }
    return client;
  }

  private TestNode busy() throws Exception {
    TestNode node = new TestNode(options(with(SECRET))).open("node");
    node.tell(ACTOR);
    var lease = node.claim(ACTOR);
    assertThat(node.commit(Set.of(lease), TestNode.turn(ACTOR, 0, 1, "parked")))
        .isInstanceOf(Applied.class);
    return node;
  }

  @Test
  void everythingThatIsMadeIsClosedToOthers() throws Exception {
    ZooKeeperOptions options = options(with(SECRET));
    Clustering clustering = Clustering.connect(options);
    Vertx vertx = await(Vertx.builder().withClusterManager(clustering.manager()).buildClustered());
    try (TestNode node = busy();
        ZooKeeper client = raw(SECRET)) {
      await(vertx.eventBus().consumer("address", message -> {}).completion());
      await(vertx.sharedData().getClusterWideMap("map"));
      List<String> all = new ArrayList<>();
      walk(client, chroot, all);
      assertThat(all)
          .contains(root + "/fmt", root + "/h/node", root + "/i/node", root + "/s/node")
          .anyMatch(path -> path.matches(".*/m/.*/space:b~0/s1.*"))
          .anyMatch(path -> path.matches(".*/j/.*/space:b/1\\..*"))
          .anyMatch(path -> path.matches(".*/d/.*/space:b~parked"))
          .anyMatch(path -> path.matches(".*/o/space~.*"))
          .anyMatch(path -> path.matches(".*/vertx/cluster/nodes/.*"))
          .anyMatch(path -> path.matches(".*/vertx/__vertx.subs/address/.*"));
      for (String path : all) {
        assertThat(client.getACL(path, null))
            .as(path)
            .singleElement()
            .satisfies(
                acl -> {
                  assertThat(acl.getPerms()).isEqualTo(Perms.ALL);
                  assertThat(acl.getId().getScheme()).isEqualTo("digest");
                  assertThat(acl.getId().getId()).startsWith("callboard:");
                });
      }
    } finally {
      await(vertx.close());
      clustering.close();
    }
  }

  private static void walk(ZooKeeper client, String path, List<String> all) throws Exception {
    all.add(path);
    for (String child : client.getChildren(path, false)) {
      walk(client, path + "/" + child, all);
    }
  }

  @Test
  void aClientWithOtherCredentialsCanNeitherReadNorWriteAMailbox() throws Exception {
    try (TestNode node = busy()) {
      String mailbox = root + "/m/" + ACTOR.partition(64) + "/space:b~0";
      for (String secret : List.of("", "callboard:wrong", "other:sEcr:t word")) {
        try (ZooKeeper client = raw(secret)) {
          denied(() -> client.exists(mailbox, false));
          denied(() -> client.getData(mailbox, false, null));
          denied(() -> client.getChildren(mailbox, false));
          denied(() -> client.setData(mailbox, new byte[0], -1));
          denied(
              () ->
                  client.create(
                      mailbox + "/s1.2-",
                      new byte[2],
                      Ids.OPEN_ACL_UNSAFE,
                      CreateMode.PERSISTENT_SEQUENTIAL));
          denied(() -> client.delete(mailbox, -1));
          denied(() -> client.getChildren(root, false));
        }
      }
      assertThat(await(node.store().peek(ACTOR, 10))).hasSize(1);
    }
  }

  private interface Act {
    void run() throws KeeperException, InterruptedException;
  }

  private static void denied(Act act) {
    assertThatThrownBy(act::run).isInstanceOf(NoAuthException.class);
  }

  @Test
  void wrongCredentialsAreToldClearlyAndWithoutThem() throws Exception {
    try (TestNode node = busy()) {
      for (ZooKeeperAccess access : List.of(ZooKeeperAccess.OPEN, with("callboard:wr0ng"))) {
        try (TestNode other = new TestNode(options(access))) {
          assertThatThrownBy(() -> other.open("other")).satisfies(AccessTest::isDenied);
        }
        assertThatThrownBy(() -> Clustering.connect(options(access)))
            .satisfies(AccessTest::isDenied);
      }
    }
  }

  private static void isDenied(Throwable failure) {
    assertThat(failure)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.DENIED));
    assertThat(failure)
        .hasMessageContaining("/callboard/main/fmt")
        .hasMessageContaining("credentials")
        .message()
        .doesNotContain("wr0ng", SECRET)
        .hasLineCount(1);
  }

  @Test
  void aChrootOfSomebodyElseIsDenied() throws Exception {
    try (ZooKeeper client = raw("other:password")) {
      String made = client.create(chroot, new byte[0], Ids.CREATOR_ALL_ACL, CreateMode.PERSISTENT);
      assertThat(made).isEqualTo(chroot);
    }
    assertThatThrownBy(() -> Clustering.connect(options(with(SECRET))))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.DENIED));
  }

  @Test
  void mailThatIsDeniedIsRefusedForGood() throws Exception {
    ActorPath closed = ActorPath.of("/space/closed");
    try (TestNode node = busy();
        ZooKeeper client = raw(SECRET)) {
      await(node.store().createMailbox(closed));
      String mailbox = root + "/m/" + closed.partition(64) + "/space:closed~0";
      ACL nobody = new ACL(Perms.ADMIN, new Id("digest", "nobody:x"));
      assertThat(client.setACL(mailbox, Collections.singletonList(nobody), -1)).isNotNull();
      for (int i = 0; i < 2; i++) { // the second shows that the session was not doubted
        assertThat(node.send(closed))
            .isInstanceOfSatisfying(
                Refused.class,
                refused -> {
                  assertThat(refused.reason()).isEqualTo(Reason.DENIED);
                  assertThat(refused.unit()).isZero();
                });
      }
      assertThat(node.send(ACTOR)).isInstanceOf(Applied.class);
    }
  }

  @Test
  void noTextHoldsTheSecret() throws Exception {
    assertThat(options(with(SECRET)).toString()).doesNotContain("sEcr", "word");
    Path file = TestServers.directory("auth").resolve("auth");
    for (String bad :
        List.of("", "sEcr", ":sEcr", "sEcr:", "a:sEcr\nb:c", "a b:sEcr", "a:sEcr\u00e9")) {
      Files.writeString(file, bad);
      assertThatThrownBy(() -> ZooKeeperCredentials.read(file))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(file.toString())
          .message()
          .doesNotContain("sEcr");
    }
    Files.writeString(file, SECRET + "\n");
    assertThat(ZooKeeperCredentials.read(file).bytes())
        .isEqualTo(SECRET.getBytes(StandardCharsets.UTF_8));
    Files.delete(file);
    assertThatThrownBy(() -> ZooKeeperCredentials.read(file))
        .hasMessageContaining("does not exist");
  }

  @Test
  void withoutCredentialsAllIsOpen() throws Exception {
    try (TestNode node = new TestNode(options(ZooKeeperAccess.OPEN)).open("node");
        ZooKeeper client = raw("")) {
      node.tell(ACTOR);
      List<String> all = new ArrayList<>();
      walk(client, chroot, all);
      for (String path : all) {
        assertThat(client.getACL(path, null)).as(path).isEqualTo(Ids.OPEN_ACL_UNSAFE);
      }
    }
  }

  @Test
  void twoCellsOfOneEnsembleDoNotSeeEachOther() throws Exception {
    ZooKeeperOptions same = options(ZooKeeperAccess.OPEN);
    ZooKeeperOptions cell =
        new ZooKeeperOptions(
            same.connectString(), "second", Duration.ofSeconds(5), Duration.ofSeconds(10));
    ZooKeeperOptions elsewhere =
        new ZooKeeperOptions(
            same.connectString() + "/below", "main", Duration.ofSeconds(5), Duration.ofSeconds(10));
    try (TestNode first = new TestNode(same).open("node")) {
      first.tell(ACTOR);
      assertThat(first.claim(ACTOR).epoch()).isEqualTo(1);
      for (ZooKeeperOptions options : List.of(cell, elsewhere)) {
        try (TestNode second = new TestNode(options).open("node")) {
          assertThat(await(second.store().members())).hasSize(1);
          assertThat(await(second.store().leases())).isEmpty();
          assertThat(await(second.store().actor(ACTOR))).isEmpty();
          assertThat(second.send(ACTOR))
              .isInstanceOfSatisfying(
                  Refused.class,
                  refused -> assertThat(refused.reason()).isEqualTo(Reason.NO_MAILBOX));
          second.tell(ACTOR);
          assertThat(second.claim(ACTOR).epoch()).isEqualTo(1);
        }
      }
      assertThat(await(first.store().members())).hasSize(1);
      assertThat(await(first.store().peek(ACTOR, 10))).hasSize(1);
    }
  }
}
