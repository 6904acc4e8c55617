package io.callboard.examples.articles;

import io.callboard.Callboard;
import io.callboard.codecs.Json;
import io.callboard.examples.documents.DocumentIndex;
import io.callboard.examples.documents.DocumentIndex.Entry;
import io.callboard.examples.documents.Library;
import io.callboard.examples.documents.StepWork;
import io.callboard.examples.documents.Workspace;
import io.callboard.pollers.Sources;
import io.callboard.pollers.SourcesOptions;
import io.callboard.pollers.model.SourceStatus;
import io.callboard.pollers.model.SourceView;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.workflows.Workflows;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The example as a program: puts articles on a site, publishes a message about each, and waits
 * until all are in the index and their messages are acknowledged.
 */
public final class ArticlesDemo implements AutoCloseable {
  private static final long LOOKS_MS = 250;

  /** Looks without a change after which nothing more will come: for a minute. */
  private static final int MOST_LOOKS = 240;

  /** States of a source with which nothing is wrong; BRAKED until it knows the workflow. */
  private static final Set<SourceStatus> USUAL =
      EnumSet.of(
          SourceStatus.OPENING, SourceStatus.POLLING, SourceStatus.FULL, SourceStatus.BRAKED);

  private final Workspace workspace;
  private final @Nullable Path documents;
  private final int count;
  private final ArticleSource source;
  private final String url;
  private List<String> articles = List.of();
  private @Nullable DocumentIndex index;
  private @Nullable Edition edition;
  private String said = "";

  /**
   * Creates the example.
   *
   * @param directory where its articles and its index go
   * @param documents directory of the documents of which articles are made; null for those that
   *     come with the example
   * @param count number of articles
   * @param source where the messages come from
   * @param url address of its broker or server; empty for a directory
   */
  public ArticlesDemo(
      Path directory, @Nullable Path documents, int count, ArticleSource source, String url) {
    this.workspace = new Workspace(directory.toAbsolutePath().normalize());
    this.documents = documents;
    this.count = count;
    this.source = source;
    this.url = url;
  }

  /**
   * Returns the source with which the node is to be started; its directory is made.
   *
   * @throws io.callboard.pollers.model.PollersException if the address is none
   */
  public SourcesOptions sources() throws IOException {
    Path unused = Files.createDirectories(ArticleSource.inbox(workspace.root()));
    return source.options(workspace.root(), url);
  }

  /**
   * Runs the example.
   *
   * @param out gets what happens, in lines
   * @return completes when all articles are done; false if some are not in the index
   */
  public Future<Boolean> run(
      Callboard node, Workflows workflows, Sources sources, Consumer<String> out) {
    Vertx vertx = node.vertx();
    return vertx
        .executeBlocking(() -> prepare(node.time().clock().millis()))
        .compose(v -> site(vertx).open())
        .compose(
            address -> {
              ArticleSteps steps = new ArticleSteps(vertx, workspace, index(), address, out);
              StepWork.offer(workflows.workers(), steps.handlers(), ArticleSteps.LONG);
              return workflows.put(ArticleWorkflow.definition().definition());
            })
        .compose(
            v -> {
              out.accept(
                  "%d articles are published to a source of kind %s; each is an instance of %s"
                      .formatted(articles.size(), source.kind(), ArticleWorkflow.NAME));
              return publish(vertx, sources, 0, out);
            })
        .compose(v -> awaitEnd(vertx, sources, new Looks(), out))
        .compose(view -> vertx.executeBlocking(() -> summary(view, out)));
  }

  private @Nullable Void prepare(long now) throws IOException {
    Path root = workspace.root();
    edition = Edition.open(root, workspace.index(), now);
    Path from = documents;
    if (from == null) {
      from = root.resolve("library");
      Library.write(from);
    }
    List<Path> all = Library.documents(from.toAbsolutePath().normalize(), count);
    articles = Articles.write(root.resolve("site"), all, count);
    index = DocumentIndex.open(workspace.index());
    return null;
  }

  private ArticleSite site(Vertx vertx) {
    return new ArticleSite(vertx, workspace.root().resolve("site"), articles);
  }

  private DocumentIndex index() {
    return Objects.requireNonNull(index, "prepared");
  }

  private Edition edition() {
    return Objects.requireNonNull(edition, "prepared");
  }

  /** Publishes an article and those behind it, each until the source has taken it. */
  private Future<Void> publish(Vertx vertx, Sources sources, int from, Consumer<String> out) {
    int at = from;
    while (at < articles.size() && edition().isPublished(articles.get(at))) {
      at++;
    }
    if (at == articles.size()) {
      return Future.succeededFuture();
    }
    int next = at;
    String article = articles.get(next);
    Buffer body = Buffer.buffer(Json.bytes(Map.of("article", article)));
    return sources
        .emit(
            ArticleSource.NAME,
            source.queue(),
            new EmittedMessage(edition().message(article), body, Map.of()))
        .compose(
            sent ->
                vertx.executeBlocking(
                    () -> {
                      edition().published(article);
                      return sent;
                    }))
        .recover(
            cause -> why(sources, out).compose(v -> later(vertx))) // then it is published again
        .compose(v -> publish(vertx, sources, next, out));
  }

  /** Says why the source does not poll, if that is news. */
  private Future<SourceView> why(Sources sources, Consumer<String> out) {
    return sources
        .source(ArticleSource.NAME)
        .onSuccess(
            view -> {
              String why = view.why() == null || USUAL.contains(view.status()) ? "" : view.why();
              if (!why.isEmpty() && !why.equals(said)) {
                out.accept("The source is %s: %s".formatted(view.status(), why));
              }
              said = why;
            });
  }

  private static Future<Void> later(Vertx vertx) {
    Promise<Void> later = Promise.promise();
    long unused = vertx.setTimer(LOOKS_MS, timer -> later.complete());
    return later.future();
  }

  /** Results of the last looks. */
  private static final class Looks {
    private String before = "";
    private int same;

    /** Returns whether nothing has changed for so long that nothing more will. */
    boolean isOver(int indexed, SourceView view) {
      String now = "%d %s".formatted(indexed, view.totals());
      same = now.equals(before) ? same + 1 : 0;
      before = now;
      return same > MOST_LOOKS;
    }
  }

  /** Returns the source when it has acknowledged all, or nothing more comes. */
  private Future<SourceView> awaitEnd(
      Vertx vertx, Sources sources, Looks looks, Consumer<String> out) {
    return vertx
        .executeBlocking(index()::size)
        .compose(
            indexed ->
                why(sources, out)
                    .compose(
                        view -> {
                          boolean done = indexed >= articles.size() && view.inFlight() == 0;
                          return done || looks.isOver(indexed, view)
                              ? Future.succeededFuture(view)
                              : later(vertx).compose(v -> awaitEnd(vertx, sources, looks, out));
                        }));
  }

  private boolean summary(SourceView view, Consumer<String> out) throws IOException {
    List<Entry> entries = index().all();
    boolean whole = entries.size() == articles.size() && index().size() == entries.size();
    Map<String, Long> languages =
        entries.stream()
            .collect(Collectors.groupingBy(Entry::language, TreeMap::new, Collectors.counting()));
    out.accept(
        "The source took %d messages and acknowledged %d; %d were given back, %d set aside."
            .formatted(
                view.totals().taken(),
                view.totals().completed(),
                view.totals().failed() + view.totals().released(),
                view.totals().dead()));
    out.accept(
        whole
            ? "All %d articles are in the index, each once; by language: %s"
                .formatted(entries.size(), languages)
            : "%d of %d articles are in the index, in %d entries"
                .formatted(entries.size(), articles.size(), index().size()));
    if (whole) {
      edition().end();
    }
    return whole;
  }

  @Override
  public void close() throws IOException {
    DocumentIndex opened = index;
    if (opened != null) {
      opened.close();
    }
  }
}
