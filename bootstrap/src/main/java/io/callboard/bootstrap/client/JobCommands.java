package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Commands on one job. */
final class JobCommands {
  private JobCommands() {}

  /** Command that shows a job with its runs. */
  @Command(description = "Shows a job with its runs, and why it is not running.")
  static final class Show extends Remote {
    @Parameters(paramLabel = "ID", description = "Id of the job.")
    String id = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
      JsonNode job = get("/jobs/" + encoded(id));
      if (json) {
        print(job.toString());
        return 0;
      }
      job.fields()
          .forEachRemaining(
              field -> {
                if (field.getValue().isValueNode()) {
                  print("%-14s %s".formatted(field.getKey(), field.getValue().asText()));
                }
              });
      job.path("runs").forEach(run -> print("run            " + run));
      get("/jobs/" + encoded(id) + "/why")
          .path("blockedBy")
          .forEach(reason -> print("waits because  " + reason.path("detail").asText()));
      return 0;
    }
  }

  /** Command that cancels a job. */
  @Command(description = "Cancels a job; its process gets SIGTERM, then SIGKILL.")
  static final class Cancel extends Remote {
    @Parameters(paramLabel = "ID", description = "Id of the job.")
    String id = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
      JsonNode job = post("/jobs/" + encoded(id) + "/cancel", null);
      print(json ? job.toString() : "%s is %s".formatted(id, job.path("state").asText()));
      return 0;
    }
  }
}
