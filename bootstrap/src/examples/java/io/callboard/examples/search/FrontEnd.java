package io.callboard.examples.search;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.Protocol;
import io.callboard.examples.search.FrontEnd.Message;
import io.callboard.examples.search.QueryProgress.Step;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The front end: an actor that is an HTTP server, on one event loop. Connections and messages are
 * handled there in turn, so a query needs no lock. It asks the tree that serves, sends on what
 * comes, and asks the other tree for what is missing ({@link QueryProgress}).
 */
final class FrontEnd extends Actor<Message> {
  /** Queries under way in one front end; one more is refused with 503. */
  static final int MAX_OPEN = 500;

  private static final int MAX_URI_BYTES = 8 * 1024;

  /** What comes back. */
  sealed interface Message {
    /** Which trees answer. */
    record Known(Trees trees) implements Message {}

    /** What a share has. */
    record Part(String id, int attempt, String tree, Found found) implements Message {}

    /** An attempt is over; shares are missing for the last of these reasons. */
    record Done(String id, int attempt, List<Integer> missing, String why) implements Message {}

    /** An attempt, or a wait, has taken its time. */
    record Due(String id) implements Message {}
  }

  private final int number;
  private final int port;
  private final SearchOptions options;
  private final Page page;
  private final SearchCounts counts;
  private final InstantSource clock;
  private final Map<String, OpenQuery> open = new HashMap<>();
  private Trees trees = Trees.NONE;
  private @Nullable HttpServer server;
  private long queries;

  FrontEnd(
      int number,
      int port,
      SearchOptions options,
      Page page,
      SearchCounts counts,
      InstantSource clock) {
    this.number = number;
    this.port = port;
    this.options = options;
    this.page = page;
    this.counts = counts;
    this.clock = clock;
  }

  @Override
  protected void protocol(Protocol<Message> on) {
    on.message(Message.Known.class, known -> known(known.trees()))
        .message(Message.Part.class, this::part)
        .message(Message.Done.class, this::done)
        .message(Message.Due.class, due -> due(due.id()));
  }

  @Override
  protected Future<?> started() {
    SearchHttp http = new SearchHttp(this, options, page, counts);
    tell(
        callboard().ref(Tree.OVERSEER, Overseer.Message.class),
        new Overseer.Message.FrontStarted(number));
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
    long now = clock.millis();
    String id = "%d-%d".formatted(number, queries++);
    OpenQuery query = new OpenQuery(id, request, options.nodes(), now, http.response());
    open.put(id, query);
    counts.queries.increment();
    http.response().closeHandler(closed -> abandoned(id));
    query.begin();
    next(query, "");
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
    long now = clock.millis();
    Step step = query.progress().next(now, trees);
    if (step instanceof Step.Ask ask) {
      query.asked(ask, why);
      ask(query, ask);
      dueAt(query, ask.deadline(), now);
    } else if (step instanceof Step.Wait wait) {
      dueAt(query, wait.until(), now);
    } else {
      end(query, why);
    }
  }

  private void ask(OpenQuery query, Step.Ask ask) {
    tell(
        callboard().ref(tree(ask.tree()).head(), Head.Search.class),
        new Head.Search(
            query.id(),
            ask.attempt(),
            query.request().query(),
            query.request().limit(),
            ask.deadline(),
            ask.shares(),
            path().toString()));
  }

  private Tree tree(String name) {
    return options.trees().stream()
        .filter(tree -> tree.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private void dueAt(OpenQuery query, long time, long now) {
    startTimer(query.id(), Duration.ofMillis(time - now), new Message.Due(query.id()));
  }

  private void known(Trees now) {
    trees = now;
    for (OpenQuery query : List.copyOf(open.values())) {
      if (query.progress().isIdle()) {
        next(query, "another tree is up");
      } else if (query.progress().lost(now)) {
        next(query, "the tree is restarted");
      }
    }
  }

  private void part(Message.Part part) {
    OpenQuery query = open.get(part.id());
    if (query != null && query.progress().answered(part.found().share())) {
      query.part(part.tree(), part.found(), clock.millis());
      if (!query.progress().isPartial()) {
        end(query, "");
      }
    }
  }

  private void done(Message.Done done) {
    OpenQuery query = open.get(done.id());
    if (query != null && query.progress().awaits(done.attempt())) {
      next(query, done.why());
    }
  }

  private void due(String id) {
    OpenQuery query = open.get(id);
    if (query != null) {
      next(query, "no answer in time");
    }
  }

  private void end(OpenQuery query, String why) {
    var unused = open.remove(query.id());
    cancelTimer(query.id());
    (query.progress().isPartial() ? counts.partial : counts.whole).increment();
    if (query.progress().attempts() > 1) {
      counts.rerouted.increment();
    }
    query.end(clock.millis(), why);
  }

  /** How the trees are. */
  Future<Overseer.Status> status() {
    return callboard()
        .ref(Tree.OVERSEER, Overseer.Message.class)
        .ask(new Overseer.Message.Ask(), Overseer.Status.class, Duration.ofSeconds(2));
  }

  /** Makes a node fail; empty if there is none of that name. */
  Future<Void> kill(String tree, int share) {
    return options.trees().stream()
        .filter(known -> known.name().equals(tree) && share < known.shares())
        .findFirst()
        .map(
            known -> {
              ActorRef<SearchNode.Message> node =
                  callboard().ref(known.node(share), SearchNode.Message.class);
              return node.tell(new SearchNode.Message.Kill(false));
            })
        .orElseGet(
            () ->
                Future.failedFuture(
                    new SearchRequest.BadRequest(
                        "there is no node %d in a tree \"%.20s\"".formatted(share, tree))));
  }
}
