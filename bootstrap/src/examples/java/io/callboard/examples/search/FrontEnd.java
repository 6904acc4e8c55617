package io.callboard.examples.search;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.examples.search.FrontEnd.Message;
import io.callboard.examples.search.QueryProgress.Step;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The front end: an actor that is an HTTP server, on one event loop. Connections and messages are
 * handled there in turn, so a query needs no lock. It asks one tree, sends on what comes, and asks
 * the other tree for what is missing ({@link QueryProgress}). The tree that it asks first stays the
 * first until an answer of it lacks a share.
 */
final class FrontEnd extends Actor<Message> {
  /** Queries under way in one front end; one more is refused with 503. */
  static final int MAX_OPEN = 500;

  private static final int MAX_URI_BYTES = 8 * 1024;

  /** Message to a front end. */
  sealed interface Message
      permits Message.Begun, Message.Part, Message.Done, Message.Gone, Message.Due, Kill {
    /** An attempt has a gatherer. */
    record Begun(String id, int attempt, ActorRef<Gatherer.Message> gatherer) implements Message {}

    /** Results of one share. */
    record Part(String id, int attempt, String tree, Found found) implements Message {}

    /**
     * An attempt has ended.
     *
     * @param enough whether enough good hits are there
     * @param why shares are missing, if any
     */
    record Done(String id, int attempt, boolean enough, String why) implements Message {}

    /** The gatherer of an attempt runs no more. */
    record Gone(String id, int attempt, String why) implements Message {}

    /** An attempt, or a wait, has taken its time. */
    record Due(String id) implements Message {}
  }

  private final int number;
  private final int port;
  private final SearchOptions options;
  private final Page page;
  private final SearchCounts counts;
  private final Map<String, OpenQuery> open = new HashMap<>();
  private List<Tree> trees;
  private @Nullable HttpServer server;
  private int life;
  private long queries;

  FrontEnd(int number, int port, SearchOptions options, Page page, SearchCounts counts) {
    this.number = number;
    this.port = port;
    this.options = options;
    this.page = page;
    this.counts = counts;
    this.trees = options.trees();
  }

  @Override
  protected void protocol(Protocol<Message> on) {
    on.message(Message.Begun.class, this::begun)
        .message(Message.Part.class, this::part)
        .message(Message.Done.class, this::done)
        .message(Message.Gone.class, gone -> over(gone.id(), gone.attempt(), gone.why()))
        .message(Message.Due.class, due -> due(due.id()))
        .message(Kill.class, Kill::strike);
  }

  @Override
  protected Future<?> started() {
    SearchHttp http = new SearchHttp(this, options, page, counts);
    life = random().nextInt() & 0xffffff; // what comes for a query of an earlier life is not ours
    return vertx
        .createHttpServer(new HttpServerOptions().setMaxInitialLineLength(MAX_URI_BYTES))
        .requestHandler(http)
        .listen(port, options.host())
        .onSuccess(listening -> server = listening);
  }

  @Override
  protected Future<?> stopped() {
    return server == null ? Future.succeededFuture() : server.close();
  }

  /** Begins a query; on the event loop, between two turns. */
  void search(SearchRequest request, HttpServerRequest http) {
    String id = "%d-%d-%x-%d".formatted(options.member(), number, life, queries++);
    List<String> order = trees.stream().map(Tree::name).toList();
    OpenQuery query =
        new OpenQuery(id, request, options.nodes(), order, millis(time()), http.response());
    open.put(id, query);
    counts.queries.increment();
    http.response().closeHandler(closed -> abandoned(id));
    query.begin();
    next(query, "");
  }

  /** Milliseconds of a clock that never jumps; only differences within this process count. */
  static long millis(Time time) {
    return TimeUnit.NANOSECONDS.toMillis(time.nanoTime());
  }

  boolean isFull() {
    return open.size() >= MAX_OPEN;
  }

  private void abandoned(String id) {
    if (open.remove(id) != null) {
      cancelTimer(id);
      counts.abandoned.increment();
    }
  }

  private void next(OpenQuery query, String why) {
    long now = millis(time());
    Step step = query.progress().next(now);
    if (step instanceof Step.Ask ask) {
      query.asked(ask, why);
      ask(query, ask, now);
      dueAt(query, ask.deadline(), now);
    } else if (step instanceof Step.Wait wait) {
      dueAt(query, wait.until(), now);
    } else {
      end(query, false, why);
    }
  }

  private void ask(OpenQuery query, Step.Ask ask, long now) {
    tell(
        callboard().ref(tree(ask.tree()).head(options.member()), Head.Message.class),
        new Head.Message.Search(
            query.id(),
            ask.attempt(),
            query.request().query(),
            query.request().limit(),
            ask.deadline(),
            ask.shares(),
            query.good(),
            self()),
        TellOptions.within(Duration.ofMillis(ask.deadline() - now)));
  }

  private Tree tree(String name) {
    return trees.stream().filter(tree -> tree.name().equals(name)).findFirst().orElseThrow();
  }

  private void dueAt(OpenQuery query, long time, long now) {
    startTimer(query.id(), Duration.ofMillis(time - now), new Message.Due(query.id()));
  }

  /**
   * Starts an attempt; if the gatherer fails, or ends with its head, the other tree is asked at
   * once.
   */
  private void begun(Message.Begun begun) {
    OpenQuery query = open.get(begun.id());
    if (query != null && query.progress().awaits(begun.attempt())) {
      watch(
          begun.gatherer(),
          ended ->
              new Message.Gone(
                  begun.id(), begun.attempt(), "the gatherer is gone: " + ended.reason()));
    }
  }

  private void part(Message.Part part) {
    OpenQuery query = open.get(part.id());
    if (query != null && query.progress().answered(part.found().share())) {
      query.part(part.tree(), part.found(), millis(time()));
      if (!query.progress().isPartial()) {
        end(query, false, "");
      }
    }
  }

  private void done(Message.Done done) {
    OpenQuery query = open.get(done.id());
    if (query != null && done.enough()) {
      end(query, true, "");
    } else {
      over(done.id(), done.attempt(), done.why());
    }
  }

  /** Continues after an attempt that ended while shares are missing. */
  private void over(String id, int attempt, String why) {
    OpenQuery query = open.get(id);
    if (query != null && query.progress().awaits(attempt)) {
      isNotFirst(query.progress().tree());
      next(query, why);
    }
  }

  private void due(String id) {
    OpenQuery query = open.get(id);
    if (query != null) {
      if (query.progress().isAsking()) {
        isNotFirst(query.progress().tree());
      }
      next(query, "no answer in time");
    }
  }

  /** Begins further queries with another tree, as an answer of that one lacked a share. */
  private void isNotFirst(String tree) {
    if (serving().equals(tree)) {
      List<Tree> turned = new ArrayList<>(trees);
      Collections.rotate(turned, -1);
      trees = turned;
    }
  }

  private void end(OpenQuery query, boolean early, String why) {
    var unused = open.remove(query.id());
    cancelTimer(query.id());
    (early ? counts.early : query.progress().isPartial() ? counts.partial : counts.whole)
        .increment();
    if (query.progress().attempts() > 1) {
      counts.rerouted.increment();
    }
    query.end(millis(time()), early, why);
  }

  /** Returns the tree that is asked first. */
  String serving() {
    return trees.get(0).name();
  }

  /** Returns the states of the trees, as far as they are on this member. */
  List<FailureZoneStatus> zones() {
    List<String> paths = options.trees().stream().map(Tree::path).toList();
    return callboard().admin().failureZones().stream()
        .filter(zone -> paths.contains(zone.path().toString()))
        .toList();
  }

  /** Makes a node fail, on whichever member it runs. */
  Future<Void> kill(String tree, int share) {
    return options.trees().stream()
        .filter(known -> known.name().equals(tree) && share < known.shares())
        .findFirst()
        .map(
            known -> {
              ActorRef<SearchNode.Message> node =
                  callboard().ref(known.node(share), SearchNode.Message.class);
              return node.tell(new Kill());
            })
        .orElseGet(
            () ->
                Future.failedFuture(
                    new SearchRequest.BadRequest(
                        "there is no node %d in a tree \"%.20s\"".formatted(share, tree))));
  }
}
