package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.store.memory.MemoryCell;
import io.callboard.store.memory.MemoryStore;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * JUnit extension that opens nodes of one cell for a test, each with a Vert.x of its own, and
 * closes them after the test, in the order in which they were opened.
 *
 * <pre>{@code
 * @RegisterExtension final NodesExtension nodes = new NodesExtension();
 *
 * @Test
 * void theOtherTakesOver() {
 *   Callboard one = nodes.open("one");
 *   Callboard two = nodes.open("two", options -> options.labels(Map.of("disk", "ssd")));
 *   nodes.close(one);
 *   ...
 * }
 * }</pre>
 */
public final class NodesExtension implements AfterEachCallback, AutoCloseable {
  private final MemoryCell cell;
  private final List<Callboard> nodes = new CopyOnWriteArrayList<>();

  /** Creates an extension for nodes of a new cell in memory. */
  public NodesExtension() {
    this(new MemoryCell());
  }

  /** Creates an extension for nodes of {@code cell}. */
  public NodesExtension(MemoryCell cell) {
    this.cell = cell;
  }

  /** Returns the cell of the nodes, for additional stores. */
  public MemoryCell cell() {
    return cell;
  }

  /** Opens a node. */
  public Callboard open(String name) {
    return open(name, options -> {});
  }

  /**
   * Opens a node.
   *
   * @param options changes its options, including the store, if another than one of {@link #cell()}
   *     is wanted
   */
  public Callboard open(String name, Consumer<CallboardOptions> options) {
    CallboardOptions given = new CallboardOptions().name(name).store(() -> new MemoryStore(cell));
    options.accept(given);
    Vertx vertx = Vertx.vertx();
    try {
      Callboard node = await(Callboard.create(vertx, given));
      nodes.add(node);
      return node;
    } catch (RuntimeException | Error e) {
      await(vertx.close());
      throw e;
    }
  }

  /** Closes a node and its Vert.x before the end of the test. */
  public void close(Callboard node) {
    nodes.remove(node);
    await(node.close());
    await(node.vertx().close());
  }

  /** Closes the nodes that are open. */
  @Override
  public void close() {
    nodes.forEach(this::close);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    close();
  }
}
