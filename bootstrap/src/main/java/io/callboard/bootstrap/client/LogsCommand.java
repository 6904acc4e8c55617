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
final class LogsCommand extends Remote {
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

  @Override
  public Integer call() throws IOException {
    if (follow && (run != null || tail != null)) {
      throw new ParameterException(
          spec().commandLine(), "give -f, or --run and --tail: it follows the last run");
    }
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
      copy(new LogReader(this, whole, number), number);
    }
    return 0;
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
