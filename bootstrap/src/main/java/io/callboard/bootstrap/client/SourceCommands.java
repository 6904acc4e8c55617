package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.bootstrap.client.ActionCommand.Target;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Commands on sources. */
final class SourceCommands {
  private static final String NAME = "Name of the source.";

  private static final Target SOURCE =
      new Target(
          "NAME",
          NAME,
          (node, name) -> path(name),
          (name, answer) -> "%s is %s".formatted(name, words(answer)));

  private SourceCommands() {}

  private static String path(String name) {
    return "/sources/" + ClientCommand.encoded(name);
  }

  /** Adds the commands to the main command. */
  static void addTo(CommandLine command) {
    command.addSubcommand("sources", new Listing());
    command.addSubcommand(
        "source",
        new CommandLine(new Group())
            .addSubcommand(
                "pause",
                SOURCE.command(
                    "pause",
                    "Takes no more messages from a source; what was taken is done. The cell remembers it over restarts."))
            .addSubcommand(
                "resume", SOURCE.command("resume", "Takes messages from a source again."))
            .addSubcommand(
                "drain",
                SOURCE.command(
                    "drain",
                    "Takes no more messages from a source, and gives back those that were not begun, until it is resumed.")));
  }

  private static String words(JsonNode source) {
    String status = source.path("status").asText("UNKNOWN");
    return source.has("why") ? status + ": " + source.path("why").asText() : status;
  }

  /** Command that only has subcommands. */
  @Command(description = "Pauses, resumes and drains sources; callboard sources lists them.")
  private static final class Group implements Runnable {
    @Spec @Nullable CommandSpec spec;

    @Option(
        names = {"-h", "--help"},
        usageHelp = true,
        description = "Shows this help.")
    boolean help;

    @Override
    public void run() {
      if (spec != null) {
        spec.commandLine().usage(spec.commandLine().getOut());
      }
    }
  }

  /** Command that lists sources, or shows one. */
  @Command(
      description =
          "Lists the sources: what each does, how many messages wait in it and are in flight, and why it does not poll or what is stuck; with a name, shows all of one.")
  static final class Listing extends ClientCommand {
    private static final List<String> COLUMNS =
        List.of("name", "kind", "status", "lag", "in flight", "rate", "failed", "last ack", "why");

    @Parameters(arity = "0..1", paramLabel = "NAME", description = NAME)
    @Nullable String name;

    @Override
    public Integer call() throws IOException {
      JsonNode answer = get(name == null ? "/sources" : path(name));
      if (json) {
        print(answer.toString());
      } else if (name != null) {
        show(answer);
      } else if (answer.path("items").isEmpty()) {
        print(
            "No sources at %s; the key sources of the configuration file names them"
                .formatted(url()));
      } else {
        table(answer.path("items"));
      }
      return 0;
    }

    private void table(JsonNode sources) {
      Instant now = Instant.now();
      Table table = new Table(COLUMNS);
      for (JsonNode each : sources) {
        table.add(
            List.of(
                Table.text(each.path("name")),
                Table.text(each.path("kind")),
                Table.text(each.path("status")),
                Table.text(each.path("lag")),
                Table.text(each.path("inFlight")),
                rate(each.at("/rates/completed")),
                Table.text(each.at("/totals/failed")),
                Ages.of(Table.text(each.path("lastAckAt")), now),
                Table.text(each.path("why"))));
      }
      table.lines().forEach(this::print);
    }

    private static String rate(JsonNode perSecond) {
      return "%.1f/s".formatted(perSecond.asDouble());
    }

    private void show(JsonNode source) {
      Instant now = Instant.now();
      line(
          "source", "%s, of kind %s".formatted(source.path("name").asText(), text(source, "kind")));
      line("starts", text(source, "target"));
      line("ack", text(source, "ack"));
      line("status", words(source));
      line("node", text(source, "node"));
      if (source.has("mode")) {
        String by = source.has("modeBy") ? ", by " + text(source, "modeBy") : "";
        String at = source.has("modeAt") ? ", " + age(source, "modeAt", now) : "";
        line("mode", text(source, "mode") + by + at);
      }
      line("lag", text(source, "lag"));
      line("in flight", "%s of %s".formatted(text(source, "inFlight"), text(source, "credit")));
      counts("totals", source.path("totals"), false);
      counts("rates", source.path("rates"), true);
      line("last poll", age(source, "lastPollAt", now));
      line("last ack", age(source, "lastAckAt", now));
      if (source.has("lastError")) {
        line(
            "last error",
            "%s, %s".formatted(text(source, "lastError"), age(source, "lastErrorAt", now)));
      }
    }

    private void counts(String field, JsonNode counts, boolean rates) {
      List<String> words =
          counts.properties().stream()
              .map(
                  each ->
                      each.getKey()
                          + " "
                          + (rates ? rate(each.getValue()) : each.getValue().asText()))
              .toList();
      line(field, String.join(", ", words));
    }

    private static String text(JsonNode source, String field) {
      return Table.text(source.path(field));
    }

    private static String age(JsonNode source, String field, Instant now) {
      return Ages.of(text(source, field), now);
    }

    private void line(String field, String value) {
      print("%-12s %s".formatted(field, value));
    }
  }
}
