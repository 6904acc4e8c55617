package io.callboard.pollers.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.testkit.Futures;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Queue of a real system and its clients, for one test of {@link SourceContract}: what the test of
 * a kind implements.
 *
 * <p>The tests of all kinds run at once, as they wait most of their time for leases, each with an
 * instance and a queue of its own; keep the server in a static field, and everything else in fields
 * of the instance.
 */
@Execution(ExecutionMode.CONCURRENT)
public abstract class SourceStage {
  private static final AtomicInteger QUEUES = new AtomicInteger();

  private final List<ContractClient> clients = new ArrayList<>();
  private String queue = "";
  private Vertx vertx;

  /** What a system cannot do, so that the tests of it are skipped, and reported as skipped. */
  public enum Lack {
    /** It delivers at once what has failed. */
    DELAYS,
    /** It does not count deliveries: the messages have 0. */
    COUNT,
    /** It cannot say how many messages wait. */
    LAG,
    /** Nothing can be sent to it; then {@code emit} fails with a {@link SourceException}. */
    EMIT,
    /** What is sent to it has no headers, as a file. */
    HEADERS,
    /** Two clients alive cannot share this queue, as one partition. */
    SHARING,
    /** What was completed after an open message may be delivered again after a crash. */
    SINGLE_ACKNOWLEDGEMENT,
    /** The test cannot take the server away: there is none. */
    OUTAGE,
    /** Messages with equal bodies cannot be told apart. */
    EQUAL_BODIES,
    /** A client that has lost a message can still change what happens to it. */
    FENCING,
    /** Messages that are set aside cannot keep any bytes, or any cause. */
    ASIDE,
    /** Taken messages cannot be given back before the lease is over, or the client closed. */
    RELEASE,
    /** The test has no single message that cannot be delivered. */
    UNREADABLE,
    /** There is no backlog of many large messages, as in one document of limited size. */
    LARGE
  }

  /**
   * Message that was set aside.
   *
   * @param cause the cause that operators find with it
   */
  public record Aside(Buffer body, String cause) {}

  @BeforeEach
  void begin() throws Exception {
    vertx = Vertx.vertx();
    queue = "kit" + QUEUES.incrementAndGet();
    makeQueue(queue);
  }

  @AfterEach
  void end() throws Exception {
    try {
      for (ContractClient client : clients) {
        client.close();
      }
    } finally {
      try {
        removeQueue();
      } finally {
        Futures.await(vertx.close());
      }
    }
  }

  /** Makes an empty queue, which this test uses; the name has lower-case letters and digits. */
  protected abstract void makeQueue(String name) throws Exception;

  /** Ends what this test has made besides the queue, as proxies; by default nothing. */
  protected void removeQueue() throws Exception {}

  /**
   * Makes a client of this test's queue, in the same group as all others of it.
   *
   * @param lease lease that it is to have; to be ignored if the system knows none
   */
  protected abstract Source newSource(Duration lease) throws Exception;

  /** Puts messages into the queue with the plain client of the system, durable on return. */
  protected abstract void put(List<Buffer> bodies) throws Exception;

  /** Reads what was set aside from this queue, with the plain client of the system. */
  protected abstract List<Aside> aside() throws Exception;

  /** Reads what was emitted to {@code target}, with the plain client of the system. */
  protected abstract List<EmittedMessage> emitted(String target) throws Exception;

  /** Returns where this test emits to, made in {@link #makeQueue} if the system does not. */
  protected String target() {
    return queue + "out";
  }

  /** Returns the column of this test in {@code target/kit.md}; by default it has none. */
  protected Optional<String> kitColumn() {
    return Optional.empty();
  }

  /** Returns what the system cannot do. */
  protected Set<Lack> lacks() {
    return Set.of();
  }

  /** Ends a client as the death of its process would; calls under way have no result. */
  protected void cut(Source source) throws Exception {
    for (ContractClient client : clients) {
      if (client.source() == source) {
        client.close();
      }
    }
  }

  /** Takes the server away for the clients of this test: connections end, and none is accepted. */
  protected void away() throws Exception {
    throw new UnsupportedOperationException("implement it, or state that OUTAGE lacks");
  }

  /** Brings the server back. */
  protected void back() throws Exception {
    throw new UnsupportedOperationException("implement it, or state that OUTAGE lacks");
  }

  /** Returns the content that was put, from a message; by default its body. */
  protected Buffer payload(SourceMessage message) {
    return message.body();
  }

  /** Puts one message that cannot be delivered; by default it is larger than most kinds take. */
  protected void putUnreadable() throws Exception {
    put(List.of(Buffer.buffer(new byte[(1 << 20) + 1])));
  }

  /** Makes the place of what is set aside refuse everything, once a client is open. */
  protected void refuseAside() throws Exception {
    throw new UnsupportedOperationException("implement it, or state that UNREADABLE lacks");
  }

  /** Makes the place of what is set aside take it again. */
  protected void acceptAside() throws Exception {
    throw new UnsupportedOperationException("implement it, or state that UNREADABLE lacks");
  }

  /** Returns the size of large messages that are delivered all the same, in bytes. */
  protected int large() {
    return 1_000_000;
  }

  /** Returns bodies that are hard to carry, as far as the system can carry them at all. */
  protected List<Buffer> hostileBodies() {
    return HostileBodies.ALL;
  }

  /**
   * Returns the lease of clients that die or are late; by default 5 s, as what is done within a
   * lease must be done in it also where much else runs.
   */
  protected Duration shortLease() {
    return Duration.ofSeconds(5);
  }

  /** Returns the time in which a message that is due has come; by default 20 s. */
  protected Duration limit() {
    return Duration.ofSeconds(20);
  }

  /** Returns the patience of the kind. */
  protected Duration patience() {
    return Duration.ofSeconds(10);
  }

  /** Returns the Vert.x of this test. */
  protected final Vertx vertx() {
    return vertx;
  }

  /** Returns the name of this test's queue. */
  protected final String queue() {
    return queue;
  }

  /** Opens a new client whose leases do not end within a test. */
  final ContractClient client() throws Exception {
    return client(Duration.ofSeconds(30));
  }

  /** Opens a new client. */
  final ContractClient client(Duration lease) throws Exception {
    ContractClient client = unopened(lease);
    client.open();
    return client;
  }

  /** Makes a new client that is not open. */
  final ContractClient unopened(Duration lease) throws Exception {
    ContractClient client = new ContractClient(this, newSource(lease));
    clients.add(client);
    return client;
  }

  final void cut(ContractClient client) throws Exception {
    cut(client.source());
    client.isCut();
  }

  /** Puts texts. */
  final void putTexts(String... texts) throws Exception {
    List<Buffer> bodies = new ArrayList<>();
    for (String text : texts) {
      bodies.add(Buffer.buffer(text));
    }
    put(bodies);
  }

  /** Skips the rest of the test if the system cannot do it. */
  final void needs(Lack what) {
    Assumptions.assumeTrue(can(what), () -> "this system lacks " + what);
  }

  final boolean can(Lack what) {
    return !lacks().contains(what);
  }

  /** Returns the content as text. */
  final String text(SourceMessage message) {
    return payload(message).toString();
  }

  final Map<String, SourceMessage> byText(List<SourceMessage> messages) {
    Map<String, SourceMessage> byText = new TreeMap<>();
    for (SourceMessage message : messages) {
      assertThat(byText.put(text(message), message)).as("no double of %s", text(message)).isNull();
    }
    return byText;
  }
}
