package io.callboard.dashboard;

import io.callboard.dashboard.contract.EntityTags;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Files of the page, read from the jar and kept in memory. */
final class Page {
  /** Names of all files, below {@code webroot}. */
  static final List<String> FILES =
      List.of(
          "index.html",
          "icon.svg",
          "app.css",
          "views.css",
          "js/actor.js",
          "js/actors.js",
          "js/ansi.js",
          "js/api.js",
          "js/attention.js",
          "js/audit.js",
          "js/boundary.js",
          "js/brake.js",
          "js/bulk.js",
          "js/cell.js",
          "js/chart.js",
          "js/charts.js",
          "js/copy.js",
          "js/counted.js",
          "js/deadletter.js",
          "js/definition.js",
          "js/dialog.js",
          "js/dom.js",
          "js/foreign.js",
          "js/format.js",
          "js/fresh.js",
          "js/graph.js",
          "js/hosts.js",
          "js/job.js",
          "js/jobs.js",
          "js/layers.js",
          "js/listing.js",
          "js/live.js",
          "js/log.js",
          "js/logreader.js",
          "js/mailboxes.js",
          "js/main.js",
          "js/missing.js",
          "js/nodes.js",
          "js/notice.js",
          "js/overview.js",
          "js/parked.js",
          "js/patch.js",
          "js/place.js",
          "js/placeholder.js",
          "js/rawjson.js",
          "js/repeat.js",
          "js/roles.js",
          "js/routes.js",
          "js/search.js",
          "js/session.js",
          "js/settings.js",
          "js/shapes.js",
          "js/sources.js",
          "js/states.js",
          "js/step.js",
          "js/table.js",
          "js/theme.js",
          "js/timeline.js",
          "js/tree.js",
          "js/treegrid.js",
          "js/treelayout.js",
          "js/treepicture.js",
          "js/types.js",
          "js/why.js",
          "js/workflow.js",
          "js/workflows.js",
          "js/zones.js");

  private static final Map<String, String> MEDIA_TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml");

  private final Map<String, File> files = new LinkedHashMap<>();

  private record File(Buffer content, String mediaType, String tag) {}

  private Page() {}

  /** Reads the files; blocks shortly. */
  static Page read() {
    Page page = new Page();
    for (String name : FILES) {
      page.files.put(name, file(name));
    }
    return page;
  }

  private static File file(String name) {
    try (InputStream in = Page.class.getResourceAsStream("webroot/" + name)) {
      if (in == null) {
        throw new IllegalStateException("a file of the page is missing: " + name);
      }
      byte[] content = in.readAllBytes();
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
      String tag = "\"" + HexFormat.of().formatHex(digest, 0, 12) + "\"";
      String mediaType = MEDIA_TYPES.get(name.substring(name.lastIndexOf('.') + 1));
      return new File(Buffer.buffer(content), String.valueOf(mediaType), tag);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Adds routes to all files. */
  void mount(Router router) {
    router.getWithRegex("/?").handler(this::index);
    for (String name : FILES) {
      router.get("/" + name).handler(context -> serve(context, name));
    }
  }

  /**
   * Serves the page, after a redirect to a path that ends with a slash, as the page refers to its
   * files relatively.
   */
  private void index(RoutingContext context) {
    if (context.request().path().endsWith("/")) {
      serve(context, "index.html");
    } else {
      context
          .response()
          .setStatusCode(308)
          .putHeader("Location", context.request().path() + "/")
          .end();
    }
  }

  private void serve(RoutingContext context, String name) {
    File file = files.get(name);
    if (file == null) {
      throw new IllegalArgumentException("the page has no file " + name);
    }
    HttpServerResponse response = context.response();
    response
        .putHeader("Content-Type", file.mediaType())
        .putHeader("ETag", file.tag())
        .putHeader("Cache-Control", "no-cache");
    if (EntityTags.match(context.request().getHeader("If-None-Match"), file.tag())) {
      response.setStatusCode(304).end();
    } else {
      response.end(file.content());
    }
  }
}
