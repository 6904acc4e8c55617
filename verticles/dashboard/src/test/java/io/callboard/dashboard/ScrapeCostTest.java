package io.callboard.dashboard;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.CallboardAdmin;
import io.callboard.admin.MailSurvey;
import io.callboard.dashboard.contract.Call;
import io.callboard.dashboard.contract.Contract;
import io.callboard.dashboard.rest.RootApi;
import io.vertx.core.Future;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Test that a scrape of the metrics looks at no more actors, however many there are. */
class ScrapeCostTest {
  private static final int FEW = 10;
  private static final int MANY = 10_000;

  /** What a scrape may ask, all of it kept as actors change or shared by all who ask. */
  private static final Set<String> KEPT =
      Set.of(
          "actorCounts",
          "reporting",
          "mail",
          "metrics",
          "denied",
          "unreadableLeases",
          "zones",
          "failureZones");

  @TempDir Path data;
  private TestNode node;
  private RootApi api;
  private final Set<String> asked = new TreeSet<>();
  private long looks;

  record Nothing() {}

  static final class Idle extends Actor<Nothing> {
    @Override
    protected void protocol(Protocol<Nothing> on) {
      on.message(Nothing.class, nothing -> {});
    }
  }

  @BeforeEach
  void start() {
    node = new TestNode(data, TestNode.options());
    CallboardAdmin admin = watched(CallboardAdmin.class, node.callboard.admin());
    Callboard callboard =
        (Callboard)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Callboard.class},
                (proxy, method, arguments) ->
                    method.getName().equals("admin")
                        ? admin
                        : invoke(node.callboard, method, arguments));
    api =
        new RootApi(
            Contract.read(),
            callboard,
            node.grid,
            Optional.of(node.jobs),
            Optional.of(node.workflows),
            Optional.empty(),
            Clock.systemUTC());
  }

  @AfterEach
  void stop() {
    node.close();
  }

  /** Returns an object that counts each status of an actor that it hands out. */
  private <T> T watched(Class<T> type, T real) {
    return type.cast(
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              asked.add(method.getName());
              Object given = invoke(real, method, arguments);
              looks += given instanceof Future<?> future ? seen(await(future)) : seen(given);
              return given;
            }));
  }

  private static Object invoke(Object real, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static long seen(Object given) {
    if (given instanceof MailSurvey mail) {
      return seen(mail.oldest()) + seen(mail.fullest()) + seen(mail.every().first());
    }
    return given instanceof List<?> list
        ? list.stream().filter(ActorStatus.class::isInstance).count()
        : 0;
  }

  /** Returns how many actors a scrape looked at, and how many it counted as running. */
  private Scrape scrape() {
    looks = 0;
    Call call = new Call(null, Map.of(), null);
    String text = await(api.handlers().get("getMetrics").handle(call)).body().toString();
    return new Scrape(
        looks, PrometheusText.read(text).value("callboard_actors{state=\"RUNNING\"}"));
  }

  private record Scrape(long looks, double running) {}

  private void spawn(int from, int to) {
    List<Future<?>> spawned = new ArrayList<>();
    for (int i = from; i < to; i++) {
      spawned.add(node.callboard.spawn("/idle/a" + i, Idle::new, new ActorOptions().onBus(false)));
    }
    await(Future.all(spawned));
  }

  @Test
  void aScrapeOfManyActorsLooksAtAsManyAsOneOfFew() {
    spawn(0, FEW);
    Scrape few = scrape();
    spawn(FEW, MANY);
    Scrape many = scrape();
    assertThat(many.looks()).isEqualTo(few.looks());
    assertThat(few.running()).isBetween((double) FEW, (double) MANY / 2);
    assertThat(many.running()).as("all are counted").isGreaterThanOrEqualTo(MANY);
    assertThat(asked).isSubsetOf(KEPT);
  }
}
