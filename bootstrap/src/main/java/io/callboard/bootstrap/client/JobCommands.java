package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.bootstrap.client.ActionCommand.Target;
import io.callboard.bootstrap.client.NodeClient.Answer;
import java.io.IOException;
import java.time.Instant;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Commands on one job. */
final class JobCommands {
  private static final String ID = "Id of the job, or a unique beginning of it.";

  private static final Target JOB =
      new Target(
          "ID",
          ID,
          (node, id) -> "/jobs/" + ClientCommand.encoded(ShortIds.job(node, id)),
          (id, job) -> "%s is %s".formatted(job.path("id").asText(), job.path("state").asText()));

  private JobCommands() {}

  /** Command that shows a job. */
  @Command(
      description =
          "Shows a job: its command, its state and since when, its runs, why it is not running, and its events.")
  static final class Show extends ClientCommand {
    @Parameters(paramLabel = "ID", description = ID)
    String id = "";

    @Override
    public Integer call() throws IOException {
      JsonNode job = get("/jobs/" + encoded(ShortIds.job(this, id)));
      if (json) {
        print(job.toString());
        return 0;
      }
      String path = "/jobs/" + encoded(job.path("id").asText());
      boolean ended = JobView.isEnded(job);
      JsonNode events = get(path + "/events").path("items");
      JsonNode why = ended ? events.path(-1) : get(path + "/why");
      new JobView(job, events, why).lines(Instant.now()).forEach(this::print);
      return 0;
    }
  }

  /** Command that shows why a job does not run. */
  @Command(
      description =
          "Shows why a job does not run: each reason, since when, what would change it, and which actor was asked last.")
  static final class Why extends ClientCommand {
    @Parameters(paramLabel = "ID", description = ID)
    String id = "";

    @Override
    public Integer call() throws IOException {
      String full = ShortIds.job(this, id);
      JsonNode why = get("/jobs/" + encoded(full) + "/why");
      if (json) {
        print(why.toString());
      } else {
        WhyView.lines(full, why, Instant.now()).forEach(this::print);
      }
      return 0;
    }
  }

  /** Command that deletes a job. */
  @Command(
      description =
          "Deletes a job that has ended: its record, and the directories and logs of its runs.")
  static final class Delete extends ClientCommand {
    @Parameters(paramLabel = "ID", description = ID)
    String id = "";

    @Override
    public Integer call() throws IOException {
      String full = ShortIds.job(this, id);
      Answer unused = answer("DELETE", "/jobs/" + encoded(full), null);
      print(json ? "{}" : full + " is deleted");
      return 0;
    }
  }

  /**
   * Returns a command that changes a job.
   *
   * @param action what REST is asked to do
   * @param description its help text
   */
  static CommandLine action(String action, String description) {
    return JOB.command(action, description);
  }
}
