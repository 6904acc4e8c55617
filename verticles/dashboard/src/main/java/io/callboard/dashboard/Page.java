package io.callboard.dashboard;

import io.callboard.dashboard.internal.contract.EntityTags;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
          "js/labellimits.js",
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
          "js/storage.js",
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

  private static final String INDEX = "index.html";

  /** Caching of assets by browsers: their address changes with the files. */
  private static final String FOREVER = "public, max-age=31536000, immutable";

  private final Map<String, File> files = new LinkedHashMap<>();
  private final String assets;

  private record File(Buffer content, String mediaType, String tag, String caching) {}

  private Page(Map<String, Buffer> contents) {
    assets = "assets/" + hash(contents) + "/";
    contents.forEach(
        (name, content) ->
            files.put(
                name,
                name.equals(INDEX)
                    ? file(name, withAddresses(content), "no-cache")
                    : file(name, content, FOREVER)));
  }

  /** Reads the files; blocks shortly. */
  static Page read() {
    Map<String, Buffer> contents = new LinkedHashMap<>();
    for (String name : FILES) {
      contents.put(name, content(name));
    }
    return new Page(contents);
  }

  private static Buffer content(String name) {
    try (InputStream in = Page.class.getResourceAsStream("webroot/" + name)) {
      if (in == null) {
        throw new IllegalStateException("a file of the page is missing: " + name);
      }
      return Buffer.buffer(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns what differs whenever a file does: one for all, as they name each other. */
  private static String hash(Map<String, Buffer> contents) {
    Buffer all = Buffer.buffer();
    contents.forEach(
        (name, content) ->
            all.appendString(name + " " + content.length() + "\n").appendBuffer(content));
    return EntityTags.ofContent(all).replace("\"", "");
  }

  private static File file(String name, Buffer content, String caching) {
    String mediaType = MEDIA_TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    return new File(content, String.valueOf(mediaType), EntityTags.ofContent(content), caching);
  }

  /** Returns the page itself, which names the assets, with their addresses. */
  private Buffer withAddresses(Buffer index) {
    String html = index.toString(StandardCharsets.UTF_8);
    for (String name : FILES) {
      html = html.replace('"' + name + '"', '"' + path(name) + '"');
    }
    return Buffer.buffer(html);
  }

  /**
   * Returns the address of a file relative to the page. That of an asset has a hash of all files,
   * so that a browser need not ask whether it has changed.
   */
  String path(String name) {
    return name.equals(INDEX) ? name : assets + name;
  }

  /** Adds routes to all files. */
  void mount(Router router) {
    router.getWithRegex("/?").handler(this::index);
    for (String name : FILES) {
      router.get("/" + path(name)).handler(context -> serve(context, name));
    }
  }

  /**
   * Serves the page, after a redirect to a path that ends with a slash, as the page refers to its
   * files relatively.
   */
  private void index(RoutingContext context) {
    if (context.request().path().endsWith("/")) {
      serve(context, INDEX);
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
        .putHeader("Cache-Control", file.caching());
    if (EntityTags.match(context.request().getHeader("If-None-Match"), file.tag())) {
      response.setStatusCode(304).end();
    } else {
      response.end(file.content());
    }
  }
}
