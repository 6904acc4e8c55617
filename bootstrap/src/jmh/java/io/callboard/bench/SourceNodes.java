package io.callboard.bench;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.ObjIntConsumer;

/** Three nodes with the same sources, each a {@link SourceNode}, of which any may be killed. */
final class SourceNodes implements AutoCloseable {
  private static final int NODES = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Stage stage;
  private final String servers;
  private final JsonObject sources;
  private final ObjIntConsumer<String> handled;
  private final Map<String, Member> members = new HashMap<>();
  private int named;

  /** A node, and what it answered. */
  private record Member(Child child, BlockingQueue<String> answers) {
    String ask(String source) throws Exception {
      child.order(source);
      String answer = answers.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      return Objects.requireNonNull(answer, "a node does not answer who polls " + source);
    }
  }

  /**
   * Starts nothing yet.
   *
   * @param sources by name, as {@link SourceNode#source} returns them
   * @param handled is given the source and the number of each message whose step has begun; called
   *     on several threads
   */
  SourceNodes(Stage stage, String servers, JsonObject sources, ObjIntConsumer<String> handled) {
    this.stage = stage;
    this.servers = servers;
    this.sources = sources;
    this.handled = handled;
  }

  /** Starts nodes until there are as many as there should be, all at once. */
  void fill() throws Exception {
    List<Child> started = new ArrayList<>();
    while (members.size() < NODES) {
      String name = "node-" + ++named;
      String data = stage.directory(name).toString();
      Child child =
          Child.start(SourceNode.class, List.of("-Xmx512m"), servers, name, data, sources.encode());
      members.put(name, new Member(child, new LinkedBlockingQueue<>()));
      started.add(child);
    }
    for (Child each : started) {
      var unused = each.expect(SourceNode.READY);
    }
    members.forEach(
        (name, member) -> {
          if (started.contains(member.child())) {
            new Thread(() -> member.child().read(line -> read(member, line)), name).start();
          }
        });
  }

  private void read(Member member, String line) {
    String[] words = line.split(" ");
    switch (words[0]) {
      case SourceNode.HANDLED -> handled.accept(words[1], Integer.parseInt(words[2]));
      case SourceNode.POLLS -> member.answers().add(words.length == 1 ? "" : words[1]);
      default -> Progress.say("a node said: " + line);
    }
  }

  /** Waits until a node polls; returns its name. */
  String polling(String source) throws Exception {
    Member any = members.values().iterator().next();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    String node = any.ask(source);
    while (!members.containsKey(node)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("nobody polls " + source);
      }
      TimeUnit.MILLISECONDS.sleep(50);
      node = any.ask(source);
    }
    return node;
  }

  /** Kills a node (SIGKILL). */
  void kill(String node) {
    Objects.requireNonNull(members.remove(node), node).child().close();
  }

  @Override
  public void close() {
    members.values().forEach(member -> member.child().close());
  }
}
