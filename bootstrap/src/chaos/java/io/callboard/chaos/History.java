package io.callboard.chaos;

import io.callboard.codecs.Json;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Observations of the driver, one line of JSON each, in {@code history.jsonl}. */
final class History implements AutoCloseable {
  private final long begunNs = System.nanoTime();
  private final BufferedWriter file;

  History(Path directory) throws IOException {
    file = Files.newBufferedWriter(directory.resolve("history.jsonl"));
  }

  /**
   * Adds a line.
   *
   * @param pairs names and values
   */
  synchronized void note(String what, Object... pairs) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("ms", (System.nanoTime() - begunNs) / 1_000_000);
    line.put("what", what);
    for (int i = 0; i < pairs.length; i += 2) {
      line.put(String.valueOf(pairs[i]), pairs[i + 1]);
    }
    try {
      file.write(new String(Json.bytes(line), StandardCharsets.UTF_8));
      file.newLine();
      file.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    file.close();
  }
}
