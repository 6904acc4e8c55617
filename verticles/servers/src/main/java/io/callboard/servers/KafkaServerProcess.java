package io.callboard.servers;

import java.io.IOException;

/** Process of a broker, which ends when its standard input does: when its parent has ended. */
final class KafkaServerProcess {
  private KafkaServerProcess() {}

  public static void main(String[] arguments) {
    Thread watch =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // nobody writes
                }
              } catch (IOException e) {
                System.out.println("standard input has ended: " + e);
              }
              Runtime.getRuntime().halt(0);
            });
    watch.setDaemon(true);
    watch.start();
    kafka.Kafka.main(arguments);
  }
}
