package io.callboard.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Log lines that nodes must never write, whatever the faults. */
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

  /** A late call must have been refused, and a node must have logged it. */
  static void judgeLateCalls(Cluster cluster, Verdict verdict) throws IOException {
    long refused = 0;
    for (Member member : cluster.members()) {
      for (Path log : member.logs()) {
        refused += refusedCalls(log);
      }
    }
    verdict.found(
        Verdict.Kind.STUCK, refused == 0 ? 1 : 0, "no node logged that it refused a late call");
  }

  private static long refusedCalls(Path log) throws IOException {
    try (var lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      return lines.filter(line -> line.contains("refused: ") && line.contains("/late/")).count();
    }
  }

  private static List<String> said(Path log) throws IOException {
    List<String> said = new ArrayList<>();
    String before = "";
    for (String line : Files.readAllLines(log, StandardCharsets.ISO_8859_1)) {
      if (line.contains("Promise already completed")) {
        said.remove(before); // Vert.x says so of each clustered write that fails
      } else if (NEVER.stream().anyMatch(line::contains)) {
        said.add(line);
      }
      before = line;
    }
    return said;
  }
}
