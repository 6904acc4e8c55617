package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.Protocol;
import io.callboard.testkit.Eventually;
import io.vertx.core.eventbus.EventBusOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A node is in the cluster, and connections to its event bus break. In Vert.x 5.0.10 each write
 * that such a connection had not made then throws in the context of whoever sent first ({@code
 * OutboundDeliveryContext.tryFail} answers false): an actor that used the bus itself would fail for
 * it, whatever it sent.
 */
@Tag("real")
class BrokenPeerTest {
  private static final Duration TIMEOUT = Duration.ofMillis(700);

  private final List<String> said = new CopyOnWriteArrayList<>();
  private final AtomicInteger cuts = new AtomicInteger();
  private EmbeddedZooKeeper server;
  private ClusteredNodes nodes;
  private ServerSocket listener;
  private Callboard here;
  private Callboard there;

  record Ask(String to, boolean overTheBus) {}

  record Asked() {}

  private static final class Asker extends Actor<Ask> {
    @Override
    protected void protocol(Protocol<Ask> on) {
      on.message(
          Ask.class,
          ask -> {
            if (ask.overTheBus()) {
              callboard().vertx().eventBus().send("plain", "a message");
            } else {
              ActorRef<Ask> other = callboard().ref(ask.to(), Ask.class);
              tell(other, new Ask("", false));
              forward(other, new Ask("", false));
            }
            reply(new Asked());
          });
    }
  }

  @BeforeEach
  void start() throws Exception {
    server = TestServers.start("broken");
    nodes = new ClusteredNodes(server);
    here = nodes.open("here");
    EventBusOptions bus = new EventBusOptions().setClusterPublicPort(resetting());
    there = nodes.open("there", bus, options -> {});
    var unused = await(there.spawn("/there", Asker::new));
    var consumer = there.vertx().eventBus().consumer("plain", message -> {});
    await(consumer.completion());
  }

  /** Takes connections, and cuts each with what was written to it unread. */
  private int resetting() throws IOException {
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread cutter =
        new Thread(
            () -> {
              while (!listener.isClosed()) {
                try (Socket taken = listener.accept()) {
                  taken.setSoLinger(true, 0);
                  int unused = taken.getInputStream().read();
                  cuts.incrementAndGet();
                } catch (IOException e) {
                  said.add(e.toString());
                }
              }
            },
            "resetting");
    cutter.setDaemon(true);
    cutter.start();
    return listener.getLocalPort();
  }

  @AfterEach
  void stop() throws Exception {
    nodes.close();
    listener.close();
    server.close();
  }

  private int failures(String path) throws Exception {
    return await(here.admin().failures(path)).size();
  }

  @Test
  void anActorThatTellsAnotherIsNotHarmed() throws Exception {
    ActorRef<Ask> asker = await(here.spawn("/here", Asker::new));
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() -> await(asker.ask(new Ask("/there", false), Asked.class, TIMEOUT)))
          .isInstanceOf(CallboardException.class);
    }
    assertThat(cuts.get()).as("connections that broke: %s", said).isPositive();
    assertThat(failures("/here")).isZero();
  }

  /**
   * Reason for which Callboard sends from contexts of its own. If this test fails, Vert.x has been
   * mended.
   */
  @Test
  void anActorThatUsesTheBusItselfIs() throws Exception {
    ActorRef<Ask> asker = await(here.spawn("/here", Asker::new));
    Eventually.assertThat(
        () -> {
          for (int i = 0; i < 20; i++) { // whose connection breaks is chance
            asker.tell(new Ask("", true));
          }
          assertThat(here.admin().failures("/here").await()).isNotEmpty();
        });
  }
}
