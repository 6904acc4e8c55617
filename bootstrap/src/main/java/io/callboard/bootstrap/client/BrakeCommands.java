package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.bootstrap.client.NodeClient.Answer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Commands on the brakes of definitions, and on what was counted of them. */
final class BrakeCommands {
  private static final String NAME = "Name of the definition.";

  private BrakeCommands() {}

  private static String path(String name) {
    return "/workflow-definitions/" + ClientCommand.encoded(name);
  }

  /** Returns how a brake is, in a word or two. */
  static String brief(JsonNode brake) {
    if (brake.isMissingNode()) {
      return "-";
    }
    boolean overridden = brake.path("overridden").asBoolean() || brake.has("override");
    String credit = brake.has("credit") ? "credit " + brake.path("credit").asText() : "off";
    return overridden
        ? credit + ", overridden"
        : brake.path("level").asText().equals("OPEN") ? "probes only" : credit;
  }

  /** Command that shows what was counted of a definition. */
  @Command(
      description =
          "Shows throughput, failures and durations of a definition and its steps, as the nodes have counted them since they started.")
  static final class Stats extends ClientCommand {
    @Parameters(paramLabel = "NAME", description = NAME)
    String name = "";

    @Override
    public Integer call() throws IOException {
      JsonNode stats = get(path(name) + "/stats");
      if (json) {
        print(stats.toString());
        return 0;
      }
      print(
          "%s: %s ended in a minute, over the last five; counted since %s"
              .formatted(
                  name,
                  stats.path("endedPerMinute").asText(),
                  Ages.of(stats.path("since").asText(), Instant.now())));
      Table table =
          new Table(
              List.of(
                  "of",
                  "began",
                  "succeeded",
                  "failed",
                  "cancelled",
                  "retries",
                  "lost",
                  "p50",
                  "p99"));
      table.add(row("instances", stats));
      stats.path("steps").properties().forEach(e -> table.add(row(e.getKey(), e.getValue())));
      table.lines().forEach(this::print);
      if (stats.path("partial").asBoolean()) {
        note("a node did not answer; its numbers are missing");
      }
      return 0;
    }

    private static List<String> row(String of, JsonNode counts) {
      return List.of(
          of,
          Table.text(counts.path("began")),
          Table.text(counts.path("succeeded")),
          Table.text(counts.path("failed")),
          Table.text(counts.path("cancelled")),
          Table.text(counts.path("retries")),
          Table.text(counts.path("lost")),
          span(counts.at("/durations/p50")),
          span(counts.at("/durations/p99")));
    }

    private static String span(JsonNode duration) {
      return duration.isMissingNode() ? "-" : Ages.span(Duration.parse(duration.asText()));
    }
  }

  /** Command that shows or sets the brake of a definition. */
  @Command(
      description =
          "Shows the brake of a definition; sets a credit instead of its measurements, turns it off, or gives it back to them.")
  static final class Brake extends ClientCommand {
    @Parameters(paramLabel = "NAME", description = NAME)
    String name = "";

    @ArgGroup(exclusive = true, multiplicity = "0..1")
    @Nullable Setting setting;

    /** Change of the brake. */
    static final class Setting {
      @Option(
          names = "--credit",
          paramLabel = "N",
          description = "Lets N instances that begin from now on run at once; 0 for none.")
      @Nullable Integer credit;

      @Option(names = "--off", description = "Lets any number run, whatever fails.")
      boolean off;

      @Option(names = "--release", description = "Lets the measurements decide again.")
      boolean release;
    }

    @Override
    public Integer call() throws IOException {
      String path = path(name) + "/brake";
      if (setting == null && reason != null) {
        throw wrong("--reason says why --credit or --off is set: give one of them");
      } else if (setting == null) {
        show(get(path));
      } else if (setting.release) {
        if (reason != null) {
          throw wrong("--release takes no --reason: the measurements decide again");
        }
        Answer unused = answer("DELETE", path, null);
        show(get(path));
      } else {
        if (reason == null || reason.isBlank()) {
          throw wrong("give a --reason, which everybody sees who asks why instances wait");
        }
        show(put(path, body(setting, reason)));
      }
      return 0;
    }

    private ParameterException wrong(String message) {
      return new ParameterException(spec().commandLine(), message);
    }

    private static Map<String, Object> body(Setting setting, String reason) {
      Map<String, Object> body = new LinkedHashMap<>();
      if (setting.credit == null) {
        body.put("off", true);
      } else {
        body.put("credit", setting.credit);
      }
      body.put("reason", reason);
      return body;
    }

    private void show(JsonNode brake) {
      if (json) {
        print(brake.toString());
        return;
      }
      Instant now = Instant.now();
      line(
          "brake",
          "%s, since %s".formatted(state(brake), Ages.of(brake.path("since").asText(), now)));
      line("cause", brake.path("cause").asText());
      if (brake.has("nextProbe")) {
        line("next probe", Ages.of(brake.path("nextProbe").asText(), now));
      }
      line("running", brake.path("running").asText() + " that count");
      line("waiting", brake.path("waiting").asText());
      if (!brake.path("changes").isEmpty()) {
        Table table = new Table(List.of("changed", "level", "credit", "cause"));
        for (JsonNode each : brake.path("changes")) {
          table.add(
              List.of(
                  Ages.of(each.path("at").asText(), now),
                  Table.text(each.path("level")),
                  Table.text(each.path("credit")),
                  Table.text(each.path("cause"))));
        }
        print("");
        table.lines().forEach(this::print);
      }
    }

    private static String state(JsonNode brake) {
      return brake.has("override") || brake.has("credit") ? brief(brake) : "off";
    }

    private void line(String field, String value) {
      print("%-12s %s".formatted(field, value));
    }
  }
}
