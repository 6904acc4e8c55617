package io.callboard.pollers.sqs;

import io.callboard.testkit.Eventually;
import io.callboard.testkit.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;

/** Server of the protocol of SQS on a free port of the loopback interface, for tests. */
final class ElasticMq implements AutoCloseable {
  private final SQSRestServer server;
  private final int port;

  private ElasticMq(SQSRestServer server, int port) {
    this.server = server;
    this.port = port;
  }

  /** Starts a server; returns when it accepts connections. */
  static ElasticMq start() throws IOException {
    int port = FreePorts.one();
    ElasticMq started =
        new ElasticMq(SQSRestServerBuilder.withInterface("127.0.0.1").withPort(port).start(), port);
    Eventually.assertThat(started::accepts);
    return started;
  }

  private void accepts() {
    try (Socket unused = new Socket(InetAddress.getLoopbackAddress(), port)) {
      // it does
    } catch (IOException e) {
      throw new AssertionError("the server does not accept connections yet", e);
    }
  }

  int port() {
    return port;
  }

  @Override
  public void close() {
    Object unused = server.stopAndWait();
  }
}
