package io.callboard.zookeeper.faults;

import java.io.IOException;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** A member of an ensemble in a process of its own. Ends with its parent. */
final class MemberMain {
  private MemberMain() {}

  public static void main(String[] arguments) throws IOException {
    Thread server = new Thread(() -> QuorumPeerMain.main(arguments), "member");
    server.setDaemon(true);
    server.start();
    int parentEnded = System.in.read();
    Runtime.getRuntime().halt(parentEnded < 0 ? 0 : 1);
  }
}
