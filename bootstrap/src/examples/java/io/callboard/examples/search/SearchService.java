package io.callboard.examples.search;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.examples.search.Corpus.Entry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/** The whole search: a Callboard of its own in a Vert.x, with the actors of this package in it. */
public final class SearchService {
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
   * Finds the documents, makes the indexes that are not there, and serves. No actor is durable: the
   * store is in memory, only the indexes are kept.
   *
   * @param out told what is indexed, and what happens to the trees
   * @return completes when the first tree is up; if it fails, everything is stopped
   */
  public static Future<SearchService> start(
      Vertx vertx,
      SearchOptions options,
      InstantSource clock,
      RandomGenerator random,
      Consumer<String> out) {
    return vertx
        .executeBlocking(() -> find(options, out))
        .compose(
            shares ->
                Callboard.create(vertx, SearchZones.in(new CallboardOptions().name("search")))
                    .compose(
                        callboard ->
                            open(callboard, options, shares, clock, random, out)
                                .recover(cause -> closed(callboard, cause))));
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
      Callboard callboard,
      SearchOptions options,
      List<List<Entry>> shares,
      InstantSource clock,
      RandomGenerator random,
      Consumer<String> out) {
    Promise<Void> firstUp = Promise.promise();
    ActorOptions query = new ActorOptions().zone(SearchZones.QUERY).onBus(false);
    return callboard
        .spawn(Tree.OVERSEER, () -> new Overseer(options, shares, clock, out, firstUp), query)
        .compose(v -> firstUp.future())
        .compose(v -> callboard.vertx().executeBlocking(() -> port(options)))
        .compose(
            port ->
                fronts(callboard, options, clock, port)
                    .compose(v -> chaos(callboard, options, random))
                    .map(
                        v ->
                            new SearchService(
                                callboard,
                                "http://%s:%d/".formatted(options.host(), port),
                                shares)));
  }

  /** All front ends share one port, so it must be known before the first listens. */
  private static int port(SearchOptions options) throws IOException {
    if (options.port() != 0) {
      return options.port();
    }
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName(options.host()))) {
      return free.getLocalPort();
    }
  }

  private static Future<Void> fronts(
      Callboard callboard, SearchOptions options, InstantSource clock, int port) {
    Page page = Page.read();
    SearchCounts counts = new SearchCounts();
    List<Future<?>> started = new ArrayList<>();
    for (int i = 0; i < options.fronts(); i++) {
      int number = i;
      started.add(
          callboard.spawn(
              Tree.front(number),
              () -> new FrontEnd(number, port, options, page, counts, clock),
              new ActorOptions().zone(SearchZones.FRONT).onBus(false)));
    }
    return Future.all(started).mapEmpty();
  }

  private static Future<Void> chaos(
      Callboard callboard, SearchOptions options, RandomGenerator random) {
    return options
        .killEvery()
        .map(
            period ->
                callboard
                    .spawn(
                        "/search/chaos",
                        () -> new Chaos(options.trees(), period, random),
                        new ActorOptions().zone(SearchZones.QUERY).onBus(false))
                    .<Void>mapEmpty())
        .orElseGet(Future::succeededFuture);
  }

  /** Where the page is. */
  public String url() {
    return url;
  }

  /** How many documents were found; those that are no text are not in the index. */
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

  Callboard callboard() {
    return callboard;
  }

  /** Stops it all; the indexes stay. */
  public Future<Void> close() {
    return callboard.close();
  }
}
