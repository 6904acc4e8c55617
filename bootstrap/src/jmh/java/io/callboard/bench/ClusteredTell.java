package io.callboard.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * Row of one-way messages a second from a volatile actor to one in another JVM, acknowledged burst
 * by burst, so that what is under way is bounded. The sender of each tell learns whether it was
 * accepted. Peers: the clustered event bus between the same two nodes, {@code send} with the same
 * acknowledgements, of ready bytes and of the message's fields as JSON, and {@code request} of
 * ready bytes.
 */
final class ClusteredTell implements Row {
  private static final String OURS = "ours";
  private static final String SEND = "Vert.x clustered send";
  private static final String JSON = "Vert.x clustered send of JSON";
  private static final String REQUEST = "Vert.x clustered request";

  /** Warm-ups of the first size; for later ones both JVMs are warm. */
  private static final int COLD_WARMUPS = 3;

  @Override
  public String name() {
    return "clustered-tell";
  }

  @Override
  public String about() {
    return "one-way messages/s between two JVMs; peers: Vert.x clustered send, request";
  }

  @Override
  public List<Case> measure(Stage stage) throws Exception {
    List<Case> cases = new ArrayList<>();
    List<Integer> sizes = stage.quick() ? List.of(100, 1_000) : stage.sizes();
    try (Servers server = Servers.here(stage);
        Node node = Node.clustered(server.connectString())) {
      RemoteTell ours = new RemoteTell(node);
      BusPeers peers = new BusPeers(node.vertx());
      try (Child other = Child.start(OtherNode.class, List.of(), server.connectString())) {
        Progress.say("the other node is up" + other.expect("ready"));
        ours.meet();
        peers.meet();
        for (int bytes : sizes) {
          Rounds rounds =
              new Rounds(stage)
                  .warmups(bytes == sizes.get(0) ? COLD_WARMUPS : 1)
                  .with(OURS, ours.load(bytes))
                  .with(SEND, peers.send(bytes))
                  .with(JSON, peers.sendJson(bytes))
                  .with(REQUEST, peers.request(bytes))
                  .play();
          cases.add(
              rounds.rates(
                  "volatile tell, " + Stage.label(bytes),
                  "msg/s",
                  OURS,
                  List.of(SEND, JSON, REQUEST)));
        }
      }
    }
    return cases;
  }

  /** The JVM at the other end. */
  static final class OtherNode {
    private OtherNode() {}

    public static void main(String[] arguments) throws Exception {
      Child.endWithParent();
      Node node = Node.clustered(arguments[0]);
      RemoteTell.receive(node);
      BusPeers.receive(node.vertx());
      Child.say("ready");
    }
  }
}
