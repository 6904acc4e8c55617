package io.callboard.bootstrap;

import static io.callboard.testkit.Futures.await;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.Protocol;
import io.callboard.dashboard.DashboardOptions;
import io.callboard.dashboard.DashboardServer;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.part.StartedParts;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.LimitAction;
import io.callboard.supervision.Strategy;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A node in this process, with its page, whose actors make a tree and fail when they are told. */
final class Shop implements AutoCloseable {
  static final int BOXES = 400;

  private final NodesExtension nodes = new NodesExtension();
  final Callboard callboard;
  private final StartedParts parts;

  record Sell(String what) {}

  static final class Clerk extends Actor<Sell> {
    @Override
    protected void protocol(Protocol<Sell> on) {
      on.message(
          Sell.class,
          sell -> {
            throw new IllegalStateException("there are no " + sell.what());
          });
    }
  }

  Shop(Path data) throws Exception {
    callboard = nodes.open("shop-1");
    parts = StartedParts.of(callboard, data, "shop");
    parts.has(Grid.class, await(Grid.start(callboard, GridOptions.DEFAULT)));
    await(
        parts.startAll(
            List.of(
                Jobs.part(JobsOptions.DEFAULT.slots(1)),
                DashboardServer.part(
                    new DashboardOptions().port(0).tick(Duration.ofMillis(200)).version("test")))));
    await(callboard.supervise("/shop", new FailureZone().strategy(Strategy.REST_FOR_ONE)));
    spawn("/shop/till");
    await(callboard.supervise("/shop/delivery", new FailureZone()));
    spawn("/shop/delivery/van");
    spawn("/watchman");
    await(callboard.supervise("/shop/store", new FailureZone()));
    List<Future<?>> boxes = new ArrayList<>();
    for (int i = 0; i < BOXES; i++) {
      boxes.add(callboard.spawn("/shop/store/box-%03d".formatted(i), Clerk::new));
    }
    var unused = await(Future.all(boxes));
  }

  /** Spawns an actor with a backoff that is long enough to be observed. */
  private void spawn(String path) throws Exception {
    Backoff minutes = Backoff.exponential(Duration.ofMinutes(10), Duration.ofMinutes(10));
    var unused = await(callboard.spawn(path, Clerk::new, new ActorOptions().backoff(minutes)));
  }

  /** Opens a failure zone that bears one restart. */
  void openKiosk() throws Exception {
    FailureZone once = new FailureZone().intensity(1, Duration.ofMinutes(10));
    await(callboard.supervise("/kiosk", once.whenOver(LimitAction.PARK)));
    var unused = await(callboard.spawn("/kiosk/clerk", Clerk::new));
  }

  void sell(String clerk, String what) throws Exception {
    await(callboard.ref(clerk, Sell.class).tell(new Sell(what)));
  }

  String url() {
    return parts.part(DashboardServer.class).url();
  }

  @Override
  public void close() throws Exception {
    await(parts.close());
    nodes.close();
  }
}
