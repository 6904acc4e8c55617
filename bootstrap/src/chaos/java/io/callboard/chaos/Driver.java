package io.callboard.chaos;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.chaos.LateClerk.Errand;
import io.callboard.chaos.Workload.Letter;
import io.callboard.chaos.Workload.Order;
import io.callboard.chaos.Workload.Question;
import io.callboard.chaos.Workload.Transfer;
import io.callboard.zookeeper.Clustering;
import io.callboard.zookeeper.ZooKeeperStore;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** A member of the cell that runs no actor: it puts the load on, and sees what comes of it. */
final class Driver implements AutoCloseable {
  private static final Duration SESSION = Duration.ofSeconds(30);
  private static final int LIMIT_S = 60;
  private static final int ORDERS_EVERY_MS = 40;
  private static final int TRANSFERS_EVERY_MS = 80;
  private static final int LETTERS_EVERY_MS = 600;
  private static final int ERRANDS_EVERY_MS = 400;

  private final Clustering clustering;
  private final Vertx vertx;
  private final Callboard callboard;
  private final List<Tells<Order>> orders = new ArrayList<>();
  private final List<Tells<Transfer>> transfers = new ArrayList<>();
  private final Tells<Letter> letters;
  private final List<Tells<Errand>> errands = new ArrayList<>();
  private final Receipts receipts;
  private final Questions questions;
  private final JobLoad jobs;
  private final Thread submitter;

  Driver(Cluster cluster, History history, long seed) throws Exception {
    ZooKeeperOptions cell =
        new ZooKeeperOptions(
            cluster.servers().connectString(), Cluster.CELL, SESSION, Duration.ofSeconds(30));
    clustering = Clustering.connect(cell);
    vertx =
        Vertx.builder()
            .with(
                new VertxOptions()
                    .setEventBusOptions(
                        new EventBusOptions().setHost(cluster.network().own(cluster.driver()))))
            .withClusterManager(clustering.manager())
            .buildClustered()
            .await(LIMIT_S, TimeUnit.SECONDS);
    CallboardOptions options =
        new CallboardOptions().name("driver").store(() -> new ZooKeeperStore(cell));
    callboard = Callboard.create(vertx, options).await(LIMIT_S, TimeUnit.SECONDS);
    for (int i = 0; i < Workload.SENDERS; i++) {
      orders.add(orders("s" + i, Workload.forwarder(i), history));
    }
    for (int i = 0; i < Workload.ACCOUNTS; i++) {
      transfers.add(transfers(i, new Random(seed + i), history));
    }
    letters =
        new Tells<>(
            vertx,
            history,
            "post",
            n -> callboard.durableRef(Workload.letterBox(n), Letter.class),
            Letter::new,
            LETTERS_EVERY_MS);
    for (int i = 0; i < LateClerk.CLERKS; i++) {
      errands.add(errands(i, history));
    }
    receipts = new Receipts(vertx, history, callboard);
    questions =
        new Questions(
            vertx, history, callboard.durableRef("/roles/" + Workload.ROLE, Question.class));
    jobs = new JobLoad(cluster, history, new Random(seed));
    submitter = new Thread(jobs, "jobs");
    submitter.setDaemon(true);
  }

  private Tells<Order> orders(String name, String to, History history) {
    ActorRef<Order> forwarder = callboard.durableRef(to, Order.class);
    return new Tells<>(
        vertx, history, name, n -> forwarder, n -> new Order(name, n), ORDERS_EVERY_MS);
  }

  private Tells<Errand> errands(int number, History history) {
    ActorRef<Errand> clerk = callboard.durableRef(LateClerk.path(number), Errand.class);
    return new Tells<>(
        vertx,
        history,
        "clerk-" + number,
        n -> clerk,
        n -> new Errand(LateClerk.DONE, n),
        ERRANDS_EVERY_MS);
  }

  private Tells<Transfer> transfers(int from, Random random, History history) {
    ActorRef<Transfer> account = callboard.durableRef(Workload.account(from), Transfer.class);
    return new Tells<>(
        vertx,
        history,
        "account-" + from,
        n -> account,
        n -> {
          int to = (from + 1 + random.nextInt(Workload.ACCOUNTS - 1)) % Workload.ACCOUNTS;
          return new Transfer(Workload.account(to), 1 + random.nextInt(100), false);
        },
        TRANSFERS_EVERY_MS);
  }

  void start() throws Exception {
    jobs.limit();
    tells().forEach(Tells::start);
    receipts.start();
    questions.start();
    submitter.start();
  }

  /** Waits until everything answers. */
  void awaitWork() throws Exception {
    Await.until(
        "everything works",
        Duration.ofSeconds(LIMIT_S),
        () ->
            tells().stream().allMatch(each -> each.accepted() > 0)
                && receipts.answered() > 0
                && questions.answered() > 0
                && !jobs.said("done").isEmpty());
  }

  /** Ends tells and jobs; the role is still asked. */
  void end() throws InterruptedException {
    tells().forEach(Tells::end);
    receipts.end();
    jobs.end();
    submitter.join();
  }

  List<Tells<Order>> orders() {
    return orders;
  }

  List<Tells<Transfer>> transfers() {
    return transfers;
  }

  Tells<Letter> letters() {
    return letters;
  }

  /** Returns the errands, by the number of the clerk. */
  List<Tells<Errand>> errands() {
    return errands;
  }

  Receipts receipts() {
    return receipts;
  }

  /** Returns all tells. */
  List<Tells<?>> tells() {
    List<Tells<?>> all = new ArrayList<>(orders);
    all.addAll(transfers);
    all.add(letters);
    all.addAll(errands);
    return all;
  }

  Questions questions() {
    return questions;
  }

  JobLoad jobs() {
    return jobs;
  }

  long accepted() {
    return tells().stream().mapToLong(Tells::accepted).sum() + jobs.accepted().size();
  }

  @Override
  public void close() throws Exception {
    questions.end();
    receipts.end();
    jobs.end();
    var unused = callboard.close().await(LIMIT_S, TimeUnit.SECONDS);
    unused = vertx.close().await(LIMIT_S, TimeUnit.SECONDS);
    clustering.close();
  }
}
