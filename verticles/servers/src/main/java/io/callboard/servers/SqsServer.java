package io.callboard.servers;

import io.callboard.testkit.Eventually;
import io.callboard.testkit.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;

/**
 * Server of the protocol of SQS on a free port of the loopback interface, in this JVM. It needs
 * {@code org.elasticmq:elasticmq-rest-sqs_2.13} on the class path.
 */
public final class SqsServer implements AutoCloseable {
  private final SQSRestServer server;
  private final int port;

  private SqsServer(SQSRestServer server, int port) {
    this.server = server;
    this.port = port;
  }

  /** Starts a server; returns when it accepts connections. */
  public static SqsServer start() throws IOException {
    int port = FreePorts.one();
    SqsServer started =
        new SqsServer(SQSRestServerBuilder.withInterface("127.0.0.1").withPort(port).start(), port);
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

  /** Returns its port. */
  public int port() {
    return port;
  }

  @Override
  public void close() {
    Object unused = server.stopAndWait();
  }
}
