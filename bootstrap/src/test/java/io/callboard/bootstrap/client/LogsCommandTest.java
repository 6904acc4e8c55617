package io.callboard.bootstrap.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.bootstrap.client.ScriptedNode.Reply;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Test of the output of jobs, against a scripted node. */
class LogsCommandTest {
  private static final String ID = "019ac5e8-1a2b-7000-8000-000000000001";
  private static final int HEAD = 256 << 10;

  private static Reply job(String state, int... runs) {
    StringBuilder list = new StringBuilder();
    for (int run : runs) {
      list.append(list.isEmpty() ? "" : ",")
          .append("{\"runId\":%d,\"host\":\"n%d\"}".formatted(run, run));
    }
    return Reply.of("{\"id\":\"%s\",\"state\":\"%s\",\"runs\":[%s]}".formatted(ID, state, list));
  }

  private static long offset(String request) {
    return Long.parseLong(request.replaceFirst(".*offset=", ""));
  }

  /** A part of at most {@code most} bytes of what is kept. */
  private static Reply part(byte[] kept, long written, long offset, int most, boolean complete) {
    if (offset > kept.length) {
      return new Reply(
          416, Map.of(), "{\"code\":\"RANGE_NOT_SATISFIABLE\"}".getBytes(StandardCharsets.UTF_8));
    }
    byte[] part =
        Arrays.copyOfRange(kept, (int) offset, (int) Math.min(kept.length, offset + most));
    return new Reply(
        part.length == 0 ? 200 : 206,
        Map.of(
            "Content-Range",
            part.length == 0
                ? "bytes */" + kept.length
                : "bytes %d-%d/%d".formatted(offset, offset + part.length - 1, kept.length),
            "Callboard-Log",
            complete ? "complete" : "open",
            "Callboard-Log-Kept",
            String.valueOf(kept.length),
            "Callboard-Log-Written",
            String.valueOf(written)),
        part);
  }

  private static Reply part(String kept, String request, int most, boolean complete) {
    byte[] bytes = kept.getBytes(StandardCharsets.UTF_8);
    return part(bytes, bytes.length, offset(request), most, complete);
  }

  @Test
  void allPartsOfTheLastRunArePrintedWithWholeCharacters() throws Exception {
    try (ScriptedNode node =
        new ScriptedNode(
            request ->
                request.contains("/log")
                    ? part("grün\nüber\n", request, 3, true)
                    : job("SUCCEEDED", 1, 2))) {
      assertThat(node.run("logs", ID)).isZero();
      assertThat(node.out()).isEqualTo("grün\nüber\n");
      assertThat(node.asked().subList(1, node.asked().size()))
          .allMatch(request -> request.contains("run=2"));
    }
  }

  @Test
  void followingEndsWithTheJobAndGoesThroughItsRuns() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    try (ScriptedNode node =
        new ScriptedNode(
            request -> {
              if (request.contains("run=1")) {
                return part(looks.get() < 2 ? "a\n" : "a\nb\n", request, 100, looks.get() > 1);
              } else if (request.contains("run=2")) {
                return part("c\n", request, 100, true);
              }
              return switch (looks.incrementAndGet()) {
                case 1 -> job("RUNNING", 1);
                case 2 -> job("RETRY_WAIT", 1);
                default -> job("SUCCEEDED", 1, 2);
              };
            })) {
      assertThat(node.run("logs", "-f", ID)).isZero();
      assertThat(node.out()).isEqualTo("a\nb\nc\n");
      assertThat(node.err()).isEqualToIgnoringNewLines("callboard: run 2 on n2");
    }
  }

  @Test
  void aHostThatIsAwayIsWaitedFor() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    try (ScriptedNode node =
        new ScriptedNode(
            request ->
                request.contains("/log")
                    ? looks.get() < 3
                        ? Reply.refusal(503, "UNAVAILABLE", "host n1 does not answer")
                        : part("a\n", request, 100, true)
                    : job(looks.incrementAndGet() < 3 ? "SUSPECT" : "SUCCEEDED", 1))) {
      assertThat(node.run("logs", "-f", ID)).isZero();
      assertThat(node.out()).isEqualTo("a\n");
      assertThat(node.err())
          .isEqualToIgnoringNewLines(
              "callboard: the output cannot be read, waiting: host n1 does not answer");
    }
  }

  /** What was printed is not printed again when the node leaves out the middle of a long log. */
  @Test
  void aLogThatIsShortenedIsReadOnWhereItWas() throws Exception {
    byte[] head = new byte[HEAD];
    Arrays.fill(head, (byte) 'h');
    String before = new String(head, StandardCharsets.UTF_8) + "m".repeat(5_000);
    String gap = "[4000 bytes left out]\n";
    String after = new String(head, StandardCharsets.UTF_8) + gap + "m".repeat(1_000) + "end\n";
    AtomicInteger looks = new AtomicInteger();
    try (ScriptedNode node =
        new ScriptedNode(
            request -> {
              if (!request.contains("/log")) {
                return job(looks.incrementAndGet() == 1 ? "RUNNING" : "SUCCEEDED", 1);
              } else if (looks.get() == 1) {
                return part(before, request, 1 << 20, false);
              }
              byte[] kept = after.getBytes(StandardCharsets.UTF_8);
              return part(kept, before.length() + 4, offset(request), 1 << 20, true);
            })) {
      assertThat(node.run("logs", "-f", ID)).isZero();
      assertThat(node.out()).isEqualTo(before + "end\n");
    }
  }

  @Test
  void theEndOfARunIsPrintedAsTheNodeCutsIt() throws Exception {
    try (ScriptedNode node =
        new ScriptedNode(request -> request.contains("/log") ? Reply.of("z\n") : job("DEAD", 1))) {
      assertThat(node.run("logs", ID, "--run", "1", "--tail", "1")).isZero();
      assertThat(node.out()).isEqualTo("z\n");
      assertThat(node.asked()).last().isEqualTo("GET /jobs/%s/log?run=1&tail=1".formatted(ID));
    }
  }

  @Test
  void asJsonEachPartIsALine() throws Exception {
    try (ScriptedNode node =
        new ScriptedNode(
            request ->
                request.contains("/log") ? part("a\nb\n", request, 2, true) : job("DEAD", 3))) {
      assertThat(node.run("logs", ID, "--json")).isZero();
      assertThat(node.out().lines())
          .containsExactly("{\"run\":3,\"text\":\"a\\n\"}", "{\"run\":3,\"text\":\"b\\n\"}");
    }
  }

  @Test
  void aJobThatHasNotRunHasNoOutput() throws Exception {
    try (ScriptedNode node = new ScriptedNode(request -> job("HELD"))) {
      assertThat(node.run("logs", ID)).isZero();
      assertThat(node.out()).isEmpty();
      assertThat(node.err()).contains(ID + " has no output, as it has not run: it is HELD");
    }
  }

  @Test
  void followingIsOfTheLastRun() throws Exception {
    try (ScriptedNode node = new ScriptedNode(request -> job("HELD"))) {
      assertThat(node.run("logs", ID, "-f", "--run", "1")).isEqualTo(2);
      assertThat(node.err()).contains("give -f, or --run and --tail");
    }
  }

  @Test
  void aRangeIsPrintedFromItsFirstByteOnThroughAllAnswers() throws Exception {
    try (ScriptedNode node =
        new ScriptedNode(
            request ->
                request.contains("/log")
                    ? part("grün\nüber\n", request, 3, true)
                    : job("DEAD", 1))) {
      assertThat(node.run("logs", ID, "--offset", "2", "--bytes", "6")).isZero();
      assertThat(node.out()).isEqualTo("ün\nü");
      assertThat(node.asked().subList(1, node.asked().size()))
          .containsExactly(
              "GET /jobs/%s/log?run=1&offset=2".formatted(ID),
              "GET /jobs/%s/log?run=1&offset=5".formatted(ID));
    }
  }

  /** Offsets are those of what is kept, which lacks the middle of a long log. */
  @Test
  void aRangeOfAShortenedLogBeginsWhereItIsAskedFor() throws Exception {
    byte[] kept = "abcdef".getBytes(StandardCharsets.UTF_8);
    try (ScriptedNode node =
        new ScriptedNode(
            request ->
                request.contains("/log")
                    ? part(kept, 5_000, offset(request), 100, true)
                    : job("DEAD", 1))) {
      assertThat(node.run("logs", ID, "--offset", "4")).isZero();
      assertThat(node.out()).isEqualTo("ef");
      assertThat(node.asked()).hasSize(2);
    }
  }

  @Test
  void aRangeBehindTheEndIsRefusedAsTheNodeSays() throws Exception {
    try (ScriptedNode node =
        new ScriptedNode(
            request ->
                request.contains("/log")
                    ? Reply.refusal(416, "RANGE_NOT_SATISFIABLE", "the log has 6 bytes")
                    : job("DEAD", 1))) {
      assertThat(node.run("logs", ID, "--offset", "9")).isEqualTo(1);
      assertThat(node.err()).contains("the log has 6 bytes");
      assertThat(node.asked()).hasSize(2);
    }
  }

  @Test
  void aRangeThatIsNoneIsNamed() throws Exception {
    try (ScriptedNode node = new ScriptedNode(request -> job("DEAD", 1))) {
      assertThat(node.run("logs", ID, "--offset", "-1")).isEqualTo(2);
      assertThat(node.run("logs", ID, "--bytes", "0")).isEqualTo(2);
      assertThat(node.run("logs", ID, "--tail", "1", "--bytes", "5")).isEqualTo(2);
      assertThat(node.run("logs", ID, "-f", "--offset", "5")).isEqualTo(2);
      assertThat(node.err())
          .contains("--offset is 0 or more, not -1")
          .contains("--bytes is 1 or more, not 0")
          .contains("give --tail, or --offset and --bytes")
          .contains("--offset or --bytes: it follows the last run");
      assertThat(node.asked()).isEmpty();
    }
  }
}
