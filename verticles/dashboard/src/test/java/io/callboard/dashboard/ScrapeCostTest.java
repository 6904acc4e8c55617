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
import io.callboard.admin.MailboxSurvey;
import io.callboard.dashboard.internal.contract.Call;
import io.callboard.dashboard.internal.contract.Contract;
import io.callboard.dashboard.internal.metrics.PrometheusPage;
import io.callboard.dashboard.internal.rest.RootApi;
import io.callboard.testkit.ManualTime;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a scrape of the metrics asks of a node, however many actors that has, and how long it waits
 * for it.
 */
@Tag("real")
class ScrapeCostTest {
  private static final int MANY = 10_000;
  private static final String RUNNING = "callboard_actors{state=\"RUNNING\"}";
  private static final String AGE = "callboard_mailboxes_age_seconds";

  /** Maximum number of actors whose status a scrape gets. */
  private static final int MOST =
      MailSurvey.OLDEST + MailSurvey.FULLEST + MailboxSurvey.FIRST + PrometheusPage.MOST_REPORTING;

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
  private volatile boolean surveyHangs;
  private final ManualTime time = new ManualTime(Instant.now());

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
            time.clock());
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
              if (surveyHangs && method.getName().equals("mail")) {
                return Promise.promise().future();
              }
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

  private PrometheusText scrape() {
    looks = 0;
    Call call = new Call(null, Map.of(), null);
    return PrometheusText.read(
        await(api.handlers().get("getMetrics").handle(call)).body().toString());
  }

  private void spawn(int number) {
    List<Future<?>> spawned = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      spawned.add(node.callboard.spawn("/idle/a" + i, Idle::new, new ActorOptions().onBus(false)));
    }
    await(Future.all(spawned));
  }

  @Test
  void aScrapeCountsAllActorsAndAsksForAListOfNone() {
    spawn(MANY);
    PrometheusText scraped = scrape();
    assertThat(scraped.value(RUNNING)).as("all are counted").isGreaterThanOrEqualTo(MANY);
    assertThat(looks).isLessThanOrEqualTo(MOST).isLessThan(MANY / 2);
    assertThat(asked).isSubsetOf(KEPT);
  }

  @Test
  void aScrapeWaitsForNoSurveyThatDoesNotEndAndTellsHowOldItsFiguresAre() {
    surveyHangs = true;
    PrometheusText before = scrape();
    assertThat(before.value(RUNNING)).isPositive();
    assertThat(before.samples).doesNotContainKeys("callboard_mailboxes", AGE);
    surveyHangs = false;
    time.leap(Duration.ofMinutes(1)); // the survey that hangs is given up
    assertThat(scrape().samples).containsKeys("callboard_mailboxes", AGE);
    surveyHangs = true;
    time.leap(Duration.ofMinutes(2));
    PrometheusText after = scrape();
    assertThat(after.samples).containsKeys("callboard_mailboxes", "callboard_mailbox_queued");
    assertThat(after.value(AGE)).isGreaterThan(60);
  }
}
