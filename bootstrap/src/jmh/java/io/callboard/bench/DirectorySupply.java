package io.callboard.bench;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Directory with a file for each message, renamed into it. */
final class DirectorySupply implements Supply {
  private static final String NAME = "message-";

  private final Path parts;
  private final Path queue;
  private int number;

  DirectorySupply(Path directory) throws IOException {
    parts = Files.createDirectories(directory.resolve("parts"));
    queue = Files.createDirectories(directory.resolve("queue"));
  }

  @Override
  public JsonObject settings() {
    return new JsonObject().put("path", queue.toString()).put("settle", "PT0S");
  }

  @Override
  public String plain() {
    return "files listed, then read and deleted one by one";
  }

  @Override
  public void put(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      String name = NAME + ++number;
      Path part = Files.writeString(parts.resolve(name), Supply.body(number));
      var unused = Files.move(part, queue.resolve(name));
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(queue)) {
      return all.filter(file -> file.getFileName().toString().startsWith(NAME)).toList();
    }
  }

  @Override
  public void take(int count) throws IOException {
    int taken = 0;
    while (taken < count) {
      for (Path file : files()) {
        Supply.check(Files.readAllBytes(file).length);
        Files.delete(file);
        taken++;
      }
    }
  }

  @Override
  public long left() throws IOException {
    return files().size();
  }
}
