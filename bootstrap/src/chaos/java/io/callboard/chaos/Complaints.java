package io.callboard.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What nodes must never say, whatever befalls them. */
final class Complaints {
  private static final List<String> NEVER =
      List.of(
          "Terminating due to", "OutOfMemoryError", "Unhandled exception", "NullPointerException");

  private Complaints() {}

  static void judge(Cluster cluster, Verdict verdict) throws IOException {
    for (Member member : cluster.members()) {
      for (Path log : member.logs()) {
        List<String> said = said(log);
        verdict.found(
            Verdict.Kind.STUCK,
            said.size(),
            "%s: %s".formatted(log, said.isEmpty() ? "" : said.get(0)));
      }
    }
  }

  private static List<String> said(Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      return lines.filter(line -> NEVER.stream().anyMatch(line::contains)).toList();
    }
  }
}
