package io.callboard.bootstrap;

import io.callboard.bootstrap.client.ClientCommands;
import io.callboard.bootstrap.process.ShutdownHook;
import io.callboard.zone.ZoneOptions;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Node as a process of its own: prints one line when it is ready, and stops in order on a signal.
 */
final class NodeProcess {
  private NodeProcess() {}

  /** Runs until the process ends; returns only if the node cannot be started. */
  static int run(
      NodeCommand options, Map<String, ZoneOptions> zones, PrintWriter out, PrintWriter err)
      throws InterruptedException {
    Node node = start(options, zones, out, err);
    ShutdownHook.beforeExit(
        () -> {
          try {
            ShutdownHook.onSignal(node::finishNoRuns);
            node.finishRuns(options.stopTimeout, line -> print(out, line));
          } finally {
            node.close();
          }
        });
    print(
        out,
        "Callboard %s is ready: %s (cell %s, ZooKeeper %s); submit a job: callboard submit --wait%s -- echo hello"
            .formatted(
                options.nodeName(),
                node.url(),
                options.cell.cell,
                node.zookeeper(),
                ClientCommands.urlOption(node.url())));
    ShutdownHook.await();
    return 0;
  }

  /** Starts the node; a signal meanwhile interrupts that, which closes what has started. */
  private static Node start(
      NodeCommand options, Map<String, ZoneOptions> zones, PrintWriter out, PrintWriter err)
      throws InterruptedException {
    Thread starter = Thread.currentThread();
    CountDownLatch over = new CountDownLatch(1);
    AtomicReference<@Nullable Node> started = new AtomicReference<>();
    ShutdownHook.beforeExit(
        () -> {
          if (over.getCount() > 0) {
            print(out, "Callboard %s is stopped before it is ready".formatted(options.nodeName()));
            starter.interrupt();
            try {
              boolean unused = over.await(options.stopTimeout.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt(); // nothing is left but to halt
            }
          }
          Node node = started.get();
          if (node != null) { // it became ready all the same
            node.close();
          }
        });
    try {
      Node node =
          Node.start(
              options,
              zones,
              line -> {
                print(err, "callboard: " + line);
                ShutdownHook.fail();
              });
      started.set(node);
      return node;
    } finally {
      over.countDown();
    }
  }

  private static void print(PrintWriter writer, String line) {
    writer.println(line);
    writer.flush();
  }
}
