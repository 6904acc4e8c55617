package io.callboard.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * Messages a second between durable actors: appended, handled and consumed, exactly once, in order.
 * Sender, receiver and server share one JVM; a case with three servers has three more. Peers:
 * Curator's queue, and raw znodes created and deleted.
 */
final class DurableMailbox implements Row {
  private static final String ONE_PAIR = "ours, 1 sender";
  private static final String PAIRS = "ours, 8 senders";
  private static final String LOCKED = "Curator DistributedQueue, lockPath";
  private static final String UNLOCKED = "Curator DistributedQueue, no lock";
  private static final String RAW = "raw create + delete, pipelined";
  private static final String PACKED = "raw packed create + delete";

  private static final int SENDERS = 8;
  private static final int RAW_WINDOW = 1_000;
  private static final int PACKED_WINDOW = 10;
  private static final int BACKLOG = 1_000_000;

  /** Bursts under way of each pair, if there are few pairs or many. */
  private static final int MANY_BURSTS = 16;

  private static final int FEW_BURSTS = 4;

  @Override
  public String name() {
    return "durable-mailbox";
  }

  @Override
  public String about() {
    return "messages/s between durable actors, exactly once; peers: Curator queue, raw znodes";
  }

  @Override
  public List<Case> measure(Stage stage) throws Exception {
    List<Case> cases = new ArrayList<>();
    try (Servers three = Servers.three(stage)) {
      try (Servers one = Servers.here(stage)) {
        for (int bytes : stage.sizes()) {
          cases.addAll(oneServer(stage, one, bytes));
        }
      }
      for (int bytes : stage.sizes()) {
        cases.addAll(threeServers(stage, three, bytes));
      }
    }
    if (!stage.quick()) {
      cases.addAll(new Backlog(BACKLOG).measure(stage));
    }
    return cases;
  }

  private static List<Case> oneServer(Stage stage, Servers server, int bytes) throws Exception {
    String connect = server.connectString();
    try (Node node = Node.alone(connect);
        RawZooKeeper raw = RawZooKeeper.connect(connect)) {
      String path = "/mail-%d".formatted(bytes);
      List<String> peers = new ArrayList<>(List.of(LOCKED, UNLOCKED, RAW));
      Rounds rounds =
          rounds(stage)
              .with(ONE_PAIR, new Mail(node, path + "/one", 1, MANY_BURSTS, bytes))
              .with(PAIRS, new Mail(node, path + "/many", SENDERS, FEW_BURSTS, bytes))
              .with(LOCKED, new CuratorQueue(connect, true, bytes))
              .with(UNLOCKED, new CuratorQueue(connect, false, bytes))
              .with(RAW, raw.createAndDelete(bytes, 1, RAW_WINDOW));
      if (!stage.quick()) {
        peers.add(PACKED);
        rounds.with(PACKED, raw.createAndDelete(bytes, Mail.burst(bytes), PACKED_WINDOW));
      }
      rounds.play();
      String of = "one server, %s → %s, " + Stage.label(bytes);
      return List.of(
          rounds.rates(of.formatted("1 sender", "1 receiver"), "msg/s", ONE_PAIR, peers),
          rounds.rates(of.formatted("8 senders", "8 receivers"), "msg/s", PAIRS, peers));
    }
  }

  private static List<Case> threeServers(Stage stage, Servers servers, int bytes) throws Exception {
    String connect = servers.connectString();
    try (RawZooKeeper raw = RawZooKeeper.connect(connect);
        Node node = Node.alone(connect)) {
      String path = "/mail-%d".formatted(bytes);
      List<String> peers = new ArrayList<>(List.of(RAW));
      Rounds rounds =
          rounds(stage)
              .with(PAIRS, new Mail(node, path, SENDERS, FEW_BURSTS, bytes))
              .with(RAW, raw.createAndDelete(bytes, 1, RAW_WINDOW));
      if (!stage.quick()) {
        peers.add(LOCKED);
        rounds.with(LOCKED, new CuratorQueue(connect, true, bytes));
      }
      rounds.play();
      String name = "three servers, 8 senders → 8 receivers, " + Stage.label(bytes);
      return List.of(rounds.rates(name, "msg/s", PAIRS, peers));
    }
  }

  /** Returns the rounds; in quick mode the many contenders warm up only once. */
  private static Rounds rounds(Stage stage) {
    return new Rounds(stage).warmups(stage.quick() ? 1 : stage.warmups());
  }
}
