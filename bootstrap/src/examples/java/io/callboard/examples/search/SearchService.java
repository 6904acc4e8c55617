package io.callboard.examples.search;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.examples.search.Corpus.Entry;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.zone.ZoneOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** The whole search: a Callboard of its own in a Vert.x, with the actors of this package in it. */
public final class SearchService {
  private static final String FRONT = "front";

  /**
   * Maximum number of restarts of trees and front ends on this member; more of them end the
   * process.
   */
  private static final int MAX_RESTARTS = 60;

  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int SAMPLES = 200;
  private static final Pattern WORD = Pattern.compile("\\b[a-z]{4,12}\\b");

  private final Callboard callboard;
  private final String url;
  private final List<List<Entry>> shares;

  private SearchService(Callboard callboard, String url, List<List<Entry>> shares) {
    this.callboard = callboard;
    this.url = url;
    this.shares = shares;
  }

  /**
   * Finds the documents, makes the indexes that are not there, and serves. No actor is durable:
   * only the indexes are kept.
   *
   * @param node the options of the Callboard, which gets the scheduling zones of the search
   * @param out gets what happens at the start, in lines
   * @return completes when all of this member runs; if it fails, everything is stopped
   */
  public static Future<SearchService> start(
      Vertx vertx, CallboardOptions node, SearchOptions options, Consumer<String> out) {
    return vertx
        .executeBlocking(() -> find(options, out))
        .compose(
            shares ->
                Callboard.create(vertx, zones(node, options))
                    .compose(
                        callboard ->
                            open(callboard, options, shares, out)
                                .recover(cause -> closed(callboard, cause))));
  }

  /**
   * None can starve another: front ends, on the event loops where their connections live; the
   * heads, gatherers and nodes of each tree; supervisors, in the toolkit's own zone. Nodes compute:
   * their indexes are mapped into memory.
   */
  private static CallboardOptions zones(CallboardOptions node, SearchOptions options) {
    int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
    for (Tree tree : options.trees()) {
      node.zone(tree.threads(), ZoneOptions.forkJoin(threads));
    }
    return node.zone(FRONT, ZoneOptions.eventLoop());
  }

  private static Future<SearchService> closed(Callboard callboard, Throwable cause) {
    return callboard.close().transform(closed -> Future.failedFuture(cause));
  }

  private static List<List<Entry>> find(SearchOptions options, Consumer<String> out)
      throws IOException {
    Corpus corpus = CorpusFinder.find(options.documents().orElse(null), options.most());
    out.accept(
        "%d documents: %s%s"
            .formatted(
                corpus.entries().size(),
                corpus.what(),
                corpus.left() == 0 ? "" : "; %d more are left out".formatted(corpus.left())));
    List<List<Entry>> shares = new ArrayList<>();
    for (int share = 0; share < options.nodes(); share++) {
      shares.add(corpus.share(share, options.nodes()));
    }
    return shares;
  }

  private static Future<SearchService> open(
      Callboard callboard, SearchOptions options, List<List<Entry>> shares, Consumer<String> out) {
    return callboard
        .supervise(Tree.ROOT, new FailureZone().intensity(MAX_RESTARTS, WINDOW))
        .compose(v -> trees(callboard, options, shares, out))
        .compose(v -> callboard.vertx().executeBlocking(() -> port(options)))
        .compose(
            port ->
                fronts(callboard, options, port)
                    .compose(v -> chaos(callboard, options))
                    .map(
                        v ->
                            new SearchService(
                                callboard,
                                "http://%s:%d/".formatted(options.host(), port),
                                shares)));
  }

  /** Starts the trees one after the other, so that the second can copy the indexes of the first. */
  private static Future<Void> trees(
      Callboard callboard, SearchOptions options, List<List<Entry>> shares, Consumer<String> out) {
    List<Tree> all = options.trees();
    Future<Void> started = Future.succeededFuture();
    for (int i = 0; i < all.size(); i++) {
      Tree tree = all.get(i);
      Tree twin = all.get((i + 1) % all.size());
      started =
          started.compose(
              v -> {
                out.accept("tree %s: opens its indexes, or makes them".formatted(tree.name()));
                return new SearchTree(callboard, options, tree, twin).start(shares);
              });
    }
    return started;
  }

  /** Returns a port for all front ends, which must be known before the first listens. */
  private static int port(SearchOptions options) throws IOException {
    if (options.port() != 0) {
      return options.port();
    }
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName(options.host()))) {
      return free.getLocalPort();
    }
  }

  private static Future<Void> fronts(Callboard callboard, SearchOptions options, int port) {
    Page page = Page.read();
    SearchCounts counts = new SearchCounts();
    List<Future<?>> started = new ArrayList<>();
    for (int i = 0; i < options.fronts(); i++) {
      int number = i;
      started.add(
          callboard.spawn(
              Tree.front(options.member(), number),
              () -> new FrontEnd(number, port, options, page, counts),
              new ActorOptions()
                  .zone(FRONT)
                  .onBus(false)
                  .supervision(new SupervisionOptions().kind(ChildKind.PERMANENT))));
    }
    return Future.all(started).mapEmpty();
  }

  private static Future<Void> chaos(Callboard callboard, SearchOptions options) {
    return options
        .killEvery()
        .map(
            period ->
                callboard
                    .spawn(
                        "%s/chaos-%d".formatted(Tree.ROOT, options.member()),
                        () -> new Chaos(options.trees(), period),
                        new ActorOptions().onBus(false))
                    .<Void>mapEmpty())
        .orElseGet(Future::succeededFuture);
  }

  /** Returns the URL of the page. */
  public String url() {
    return url;
  }

  /** Returns the number of documents found; those that are no text are not in the index. */
  public int documents() {
    return shares.stream().mapToInt(List::size).sum();
  }

  /** Words of some of the documents, for a load. Blocks. */
  public List<String> words() throws IOException {
    Set<String> words = new TreeSet<>();
    try (CorpusReader reader = new CorpusReader()) {
      List<Entry> some = shares.get(0);
      for (int i = 0; i < some.size(); i += Math.max(1, some.size() / SAMPLES)) {
        String text = reader.read(some.get(i)).orElse("");
        WORD.matcher(text).results().limit(SAMPLES).forEach(found -> words.add(found.group()));
      }
    }
    return List.copyOf(words);
  }

  /**
   * Returns the node, whose {@code closed()} fails with the failure that the supervisors could not
   * handle.
   */
  public Callboard callboard() {
    return callboard;
  }

  /** Stops it all; the indexes stay. */
  public Future<Void> close() {
    return callboard.close();
  }
}
