package io.callboard.examples.search;

import io.callboard.examples.search.Found.Hit;
import io.callboard.examples.search.QueryProgress.Step.Ask;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A query that a client waits for, and its response: one JSON object a line, as things happen. */
final class OpenQuery {
  private static final Logger log = LoggerFactory.getLogger(OpenQuery.class);

  private final String id;
  private final SearchRequest request;
  private final QueryProgress progress;
  private final HttpServerResponse response;
  private final Set<String> trees = new LinkedHashSet<>();
  private final int shares;
  private GoodHits good;
  private long total;

  /**
   * Creates a query.
   *
   * @param trees trees in the order in which they are asked
   */
  OpenQuery(
      String id,
      SearchRequest request,
      int shares,
      List<String> trees,
      long now,
      HttpServerResponse response) {
    this.id = id;
    this.request = request;
    this.shares = shares;
    this.response = response;
    good = new GoodHits(request.enough());
    progress = new QueryProgress(shares, trees, now, now + request.deadline().toMillis());
  }

  String id() {
    return id;
  }

  SearchRequest request() {
    return request;
  }

  QueryProgress progress() {
    return progress;
  }

  /** Returns the hits so far. */
  GoodHits good() {
    return good;
  }

  void begin() {
    response
        .setChunked(true)
        .putHeader("Content-Type", "application/x-ndjson; charset=utf-8")
        .putHeader("Cache-Control", "no-store");
    line(
        new JsonObject()
            .put("type", "start")
            .put("id", id)
            .put("query", request.query())
            .put("limit", request.limit())
            .put("deadline", request.deadline().toString())
            .put("shares", shares));
  }

  /** Records that a tree is asked; the client is notified if it is not the first. */
  void asked(Ask ask, String why) {
    trees.add(ask.tree());
    if (ask.attempt() > 1) {
      line(
          new JsonObject()
              .put("type", "rerouted")
              .put("tree", ask.tree())
              .put("shares", new JsonArray(ask.shares()))
              .put("why", why));
    }
  }

  void part(String tree, Found found, long now) {
    total += found.total();
    good = good.plus(found);
    JsonArray hits = new JsonArray();
    found.hits().forEach(hit -> hits.add(json(hit)));
    line(
        new JsonObject()
            .put("type", "hits")
            .put("tree", tree)
            .put("share", found.share())
            .put("total", found.total())
            .put("tookMs", progress.took(now))
            .put("hits", hits));
  }

  private static JsonObject json(Hit hit) {
    JsonArray snippet = new JsonArray();
    hit.snippet()
        .forEach(
            piece ->
                snippet.add(
                    new JsonObject().put("text", piece.text()).put("match", piece.match())));
    return new JsonObject()
        .put("document", hit.document())
        .put("score", hit.score())
        .put("snippet", snippet);
  }

  /**
   * Ends the query.
   *
   * @param early whether it ends because enough good hits are there
   */
  void end(long now, boolean early, String why) {
    JsonObject last =
        new JsonObject()
            .put("type", "end")
            .put("partial", progress.isPartial() && !early)
            .put("early", early)
            .put("answered", progress.answeredShares())
            .put("shares", shares)
            .put("total", total)
            .put("trees", new JsonArray(trees.stream().toList()))
            .put("rerouted", Math.max(0, progress.attempts() - 1))
            .put("tookMs", progress.took(now));
    if (progress.isPartial()) {
      last.put("missing", new JsonArray(progress.missing()));
      last.put("why", early ? "%d good hits are there".formatted(request.enough()) : why);
    }
    line(last);
    response.end().onFailure(cause -> gone(cause));
  }

  private void line(JsonObject json) {
    response.write(json.encode() + "\n").onFailure(cause -> gone(cause));
  }

  private void gone(Throwable cause) {
    log.debug("the client of query {} is gone", id, cause);
  }
}
