package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Command that sets how many jobs of a type run at once. */
@Command(
    description =
        "Sets how many jobs of a type run at the same time; creates the type if it does not exist.")
final class LimitCommand extends Remote {
  @Parameters(index = "0", paramLabel = "TYPE", description = "Name of the job type.")
  String type = "";

  @Parameters(index = "1", paramLabel = "N", description = "Jobs at the same time, over all hosts.")
  int limit;

  @Override
  public Integer call() throws IOException, InterruptedException {
    JsonNode answer = put("/types/" + encoded(type), Map.of("runner", "process", "limit", limit));
    print(json ? answer.toString() : "%s: at most %d at the same time".formatted(type, limit));
    return 0;
  }
}
