package io.callboard.examples.search;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of the page, from the class path, in memory. */
final class Page {
  private static final Logger log = LoggerFactory.getLogger(Page.class);

  private final Map<String, File> files = new LinkedHashMap<>();

  private record File(String mediaType, Buffer content) {}

  private Page() {}

  /** Reads the files; blocks shortly. */
  static Page read() {
    Page page = new Page();
    page.add("/", "index.html", "text/html; charset=utf-8");
    page.add("/search.css", "search.css", "text/css; charset=utf-8");
    page.add("/search.js", "search.js", "text/javascript; charset=utf-8");
    return page;
  }

  private void add(String path, String name, String mediaType) {
    try (InputStream in = Page.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("a file of the page is missing: " + name);
      }
      files.put(path, new File(mediaType, Buffer.buffer(in.readAllBytes())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean has(String path) {
    return files.containsKey(path);
  }

  /** Answers with the file of a path that is there. */
  void serve(String path, HttpServerResponse response) {
    File file = files.get(path);
    if (file == null) {
      throw new IllegalArgumentException("the page has no file " + path);
    }
    response
        .putHeader("Content-Type", file.mediaType())
        .putHeader("Cache-Control", "no-cache")
        .end(file.content())
        .onFailure(cause -> log.debug("the client of {} is gone", path, cause));
  }
}
