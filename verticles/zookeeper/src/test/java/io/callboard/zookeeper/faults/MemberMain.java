package io.callboard.zookeeper.faults;

import io.callboard.zookeeper.EnsembleServer;
import java.io.IOException;

/** A member of an ensemble in a process of its own. Ends with its parent. */
final class MemberMain {
  private MemberMain() {}

  public static void main(String[] arguments) throws IOException {
    Thread server = new Thread(() -> EnsembleServer.main(arguments), "member");
    server.setDaemon(true);
    server.start();
    int parentEnded = System.in.read();
    Runtime.getRuntime().halt(parentEnded < 0 ? 0 : 1);
  }
}
