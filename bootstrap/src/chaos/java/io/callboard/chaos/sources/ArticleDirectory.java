package io.callboard.chaos.sources;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Directory with articles. What was done is kept. */
final class ArticleDirectory implements ArticleQueue {
  private static final String ENDING = ".json";
  private static final int MOST_NAMED = 20;

  /** Places of files within the directory, as the documentation of the kind has them. */
  private static final List<String> NOT_DONE =
      List.of(".", ".callboard/taken", ".callboard/waiting");

  private final Path path;

  ArticleDirectory(Path path) throws IOException {
    this.path = Files.createDirectories(path);
  }

  @Override
  public String kind() {
    return "directory";
  }

  @Override
  public String letter() {
    return "d";
  }

  @Override
  public JsonObject settings() {
    return new JsonObject()
        .put("path", path.toString())
        .put("settle", "PT0S")
        .put("lease", "PT5S")
        .put("done", "keep");
  }

  @Override
  public void send(String article) throws IOException {
    Path hidden = Files.writeString(path.resolve("." + article), Articles.body(article));
    Path unused =
        Files.move(hidden, path.resolve(article + ENDING), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public long waiting() throws IOException {
    long waiting = 0;
    for (String place : NOT_DONE) {
      waiting += articles(place).size();
    }
    return waiting;
  }

  @Override
  public List<String> left() throws IOException {
    List<String> left = new ArrayList<>();
    for (String place : NOT_DONE) {
      articles(place).stream()
          .limit(MOST_NAMED)
          .forEach(article -> left.add("%s in %s".formatted(article, place)));
    }
    return left;
  }

  @Override
  public Set<String> dead() throws IOException {
    return articles(".callboard/dead");
  }

  /** Returns the articles at a place; while files are moved there, perhaps not all. */
  private Set<String> articles(String place) throws IOException {
    Path directory = path.resolve(place);
    int depth = place.equals(".") ? 1 : 2;
    if (!Files.isDirectory(directory)) {
      return Set.of();
    }
    try (Stream<Path> files =
        Files.find(directory, depth, (file, facts) -> facts.isRegularFile())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(ENDING) && !name.startsWith("."))
          .map(name -> name.substring(0, name.length() - ENDING.length()))
          .collect(Collectors.toSet());
    } catch (java.io.UncheckedIOException e) {
      if (e.getCause() instanceof NoSuchFileException) {
        return articles(place); // a directory was renamed meanwhile
      }
      throw e;
    }
  }

  @Override
  public void close() {
    // nothing is open
  }
}
