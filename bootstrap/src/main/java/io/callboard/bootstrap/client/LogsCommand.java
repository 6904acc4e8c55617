package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Command that prints the output of a job. */
@Command(
    description =
        "Prints the output of a job's last run; with -f, follows it, also through further runs, until the job has ended. Of a long output the first and the last 256 KiB are kept.")
final class LogsCommand extends ClientCommand {
  @Parameters(paramLabel = "ID", description = "Id of the job, or a unique beginning of it.")
  String id = "";

  @Option(
      names = {"-f", "--follow"},
      description = "Prints what is added until the job has ended.")
  boolean follow;

  @Option(names = "--run", paramLabel = "N", description = "Number of the run (default: the last).")
  @Nullable Integer run;

  @Option(
      names = "--tail",
      paramLabel = "N",
      description = "Only the last N lines of the run (default: all that is kept).")
  @Nullable Integer tail;

  @Option(
      names = "--offset",
      paramLabel = "N",
      description = "Only from this byte of what is kept on, 0 being the first (default: 0).")
  @Nullable Long offset;

  @Option(
      names = "--bytes",
      paramLabel = "N",
      description = "Only so many bytes (default: up to the end).")
  @Nullable Long bytes;

  @Override
  public Integer call() throws IOException {
    check();
    String whole = ShortIds.job(this, id);
    if (follow) {
      JsonNode unused = new LogFollower(this, whole, this::output).follow();
      return 0;
    }
    JsonNode job = get("/jobs/" + encoded(whole));
    JsonNode runs = job.path("runs");
    if (runs.isEmpty()) {
      note(
          "%s has no output, as it has not run: it is %s"
              .formatted(job.path("id").asText(), job.path("state").asText()));
      return 0;
    }
    int number = run != null ? run : runs.path(runs.size() - 1).path("runId").asInt();
    if (tail != null) {
      boolean unused = output(number, tail(whole, number, tail));
    } else {
      long from = offset == null ? 0 : offset;
      long most = bytes == null ? Long.MAX_VALUE : bytes;
      copy(new LogReader(this, whole, number, from, most), number);
    }
    return 0;
  }

  private void check() {
    boolean range = offset != null || bytes != null;
    if (follow && (run != null || tail != null || range)) {
      throw wrong("give -f, or --run and --tail, --offset or --bytes: it follows the last run");
    } else if (tail != null && range) {
      throw wrong("give --tail, or --offset and --bytes: lines from the end, or a range of bytes");
    } else if (offset != null && offset < 0) {
      throw wrong("--offset is 0 or more, not %d".formatted(offset));
    } else if (bytes != null && bytes < 1) {
      throw wrong("--bytes is 1 or more, not %d".formatted(bytes));
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec().commandLine(), message);
  }

  private String tail(String whole, int number, int lines) throws IOException {
    String path = "/jobs/%s/log?run=%d&tail=%d".formatted(encoded(whole), number, lines);
    return new String(answer("GET", path, null).body(), java.nio.charset.StandardCharsets.UTF_8);
  }

  private void copy(LogReader reader, int number) throws IOException {
    String text;
    do {
      text = reader.next();
    } while (!text.isEmpty() && output(number, text) && !reader.isComplete());
  }

  /** With --json, one line for each part. */
  private boolean output(int number, String text) {
    if (!json) {
      return write(text);
    }
    return write(
        JsonNodeFactory.instance.objectNode().put("run", number).put("text", text)
            + System.lineSeparator());
  }
}
