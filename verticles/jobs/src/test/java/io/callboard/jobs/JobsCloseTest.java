package io.callboard.jobs;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Callboard;
import io.callboard.cell.Leases;
import io.callboard.jobs.internal.actor.HostMonitor;
import io.callboard.jobs.internal.index.IndexActor;
import io.callboard.jobs.internal.index.IndexAnswer;
import io.callboard.jobs.internal.index.IndexCommand;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.part.StartedParts;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Order in which a node's part in the scheduler is closed. */
class JobsCloseTest {
  private static final String INDEX = IndexActor.path("first");

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final List<String> did = new CopyOnWriteArrayList<>();
  private final Promise<Void> drained = Promise.promise();

  /** Returns the node with what it stops noted; it drains when the test says so. */
  private Callboard watched(Callboard node) {
    Leases leases =
        proxy(
            Leases.class,
            (proxy, method, given) -> {
              if (method.getName().equals("drain")) {
                did.add("drain " + given[0]);
                return drained.future();
              }
              return pass(node.leases(), method, given);
            });
    return proxy(
        Callboard.class,
        (proxy, method, given) -> {
          if (method.getName().equals("leases")) {
            return leases;
          } else if (method.getName().equals("stop")) {
            did.add("stop " + given[0]);
          }
          return pass(node, method, given);
        });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Object pass(Object target, Method method, Object[] given) throws Throwable {
    try {
      return method.invoke(target, given);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** The rows go while the partitions do; who takes them asks the index for them. */
  @Test
  void theIndexAnswersUntilThePartitionsAreHandedOver() throws Exception {
    nodes.open("second"); // else there is nobody to hand anything over to
    Callboard node = nodes.open("first");
    String home = UUID.randomUUID().toString();
    Path data = Files.createDirectories(Path.of("target", "jobs-close-test", home));
    Jobs jobs =
        await(
            StartedParts.of(watched(node), data, home)
                .start(Jobs.part(JobsOptions.DEFAULT.slots(1).queueLimit(50))));

    Future<Void> closed = jobs.close();
    Eventually.assertThat(() -> assertThat(did).contains("drain true"));
    IndexAnswer.Page page =
        await(
            node.ref(INDEX, IndexCommand.class)
                .ask(
                    new IndexCommand.Known(List.of()),
                    IndexAnswer.Page.class,
                    Duration.ofSeconds(10)));
    assertThat(page.known()).isEmpty();
    assertThat(closed.isComplete()).isFalse();

    drained.fail("the partitions stay");
    await(closed);
    assertThat(did)
        .containsExactly("stop " + HostMonitor.path("first"), "drain true", "stop " + INDEX);
  }
}
