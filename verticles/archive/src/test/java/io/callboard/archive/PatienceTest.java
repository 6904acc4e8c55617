package io.callboard.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.testkit.FreePorts;
import io.callboard.testkit.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An archive is opened when its database is back, not only if it is there at that moment. */
@Tag("real")
class PatienceTest {
  private final Vertx vertx = Vertx.vertx();
  @TempDir private Path home;

  @AfterEach
  void stop() throws Exception {
    Futures.await(vertx.close());
  }

  private static String url(int port) {
    return "jdbc:h2:tcp://127.0.0.1:%d/./archive".formatted(port);
  }

  @Test
  void anArchiveOpensWhenItsDatabaseIsBack() throws Exception {
    Future<Archive> opened;
    int port;
    try (ServerSocket noDatabase = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      port = noDatabase.getLocalPort();
      opened = Archive.open(vertx, url(port));
      noDatabase.accept().close(); // the first attempt
    }
    Server server =
        Server.createTcpServer(
                "-tcpPort",
                String.valueOf(port),
                "-ifNotExists",
                "-baseDir",
                home.toAbsolutePath().toString())
            .start();
    try {
      Archive archive = Futures.await(opened);
      assertThat(Futures.await(archive.positions())).isEmpty();
      Futures.await(archive.close());
    } finally {
      server.stop();
    }
  }

  @Test
  void anArchiveThatMayNotWaitFailsAtOnce() throws Exception {
    assertThatThrownBy(
            () -> Futures.await(Archive.open(vertx, url(FreePorts.one()), Duration.ZERO)))
        .isNotInstanceOf(AssertionError.class);
  }

  @Test
  void onlyWhatIsAwayIsWaitedFor() {
    assertThat(Patience.isAway(new IllegalStateException(new SQLException("refused", "08001"))))
        .isTrue();
    assertThat(Patience.isAway(new SQLException("the database system is starting up", "57P03")))
        .isTrue();
    assertThat(Patience.isAway(new SQLException("password authentication failed", "28P01")))
        .isFalse();
    assertThat(Patience.isAway(new SQLException("no such database", "3D000"))).isFalse();
    assertThat(Patience.isAway(new IllegalArgumentException("no such url"))).isFalse();
  }
}
