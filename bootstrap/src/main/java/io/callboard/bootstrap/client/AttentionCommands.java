package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Commands that say what is wrong in a cell. */
final class AttentionCommands {
  private static final List<String> COLUMNS =
      List.of("severity", "what", "subject", "since", "cause");

  private static final String OMITTED = "omittedBySeverity";

  private AttentionCommands() {}

  /** Adds the commands to the main command. */
  static void addTo(CommandLine command) {
    command.addSubcommand("attention", new Listing());
    command.addSubcommand("doctor", new Doctor());
  }

  private abstract static class Asking extends ClientCommand {
    /** Asks the node, and prints the answer as it is if that is wanted. */
    JsonNode asked() throws IOException {
      JsonNode answer = get("/attention");
      if (json) {
        print(answer.toString());
      }
      return answer;
    }

    void omitted(JsonNode answer) {
      if (answer.path("omitted").asInt() > 0) {
        StringJoiner further = new StringJoiner(", ", "not listed: ", "");
        answer
            .path(OMITTED)
            .fields()
            .forEachRemaining(
                of ->
                    further.add("%d more %s".formatted(of.getValue().asInt(), words(of.getKey()))));
        note(further.toString());
      }
    }

    /** Says so, and of what: an older node does not tell what it has read. */
    void allIsWell(JsonNode answer) {
      print("Nothing is wrong, as far as the node at %s knows.".formatted(url()));
      String read = answer.path("read").asText();
      if (!read.isEmpty()) {
        print("It has read: %s.".formatted(TerminalText.line(read)));
      }
    }

    /** Returns what a trouble is about, and on which node that is, if it is another. */
    static String subject(JsonNode trouble) {
      String name = trouble.at("/subject/name").asText();
      String node = trouble.at("/subject/node").asText();
      return node.isEmpty() ? name : name + " on " + node;
    }
  }

  /** Command that lists what is wrong. */
  @Command(
      description =
          "Lists what is wrong in the cell now, the most urgent first: since when, and why.")
  static final class Listing extends Asking {
    @Override
    public Integer call() throws IOException {
      JsonNode answer = asked();
      if (json) {
        return 0;
      }
      if (answer.path("items").isEmpty()) {
        allIsWell(answer);
        return 0;
      }
      Instant now = Instant.now();
      Table table = new Table(COLUMNS);
      for (JsonNode trouble : answer.path("items")) {
        table.add(
            List.of(
                words(trouble.path("severity")),
                words(trouble.path("rule")),
                subject(trouble),
                since(trouble, now),
                trouble.path("cause").asText()));
      }
      table.lines().forEach(this::print);
      omitted(answer);
      return 0;
    }
  }

  /** Command that says what is wrong and what to do, and fails if something is. */
  @Command(
      description =
          "Says what is wrong in the cell now, why, and what to do about each; ends with 1 if anything is, but for what an operator has set so, and with 0 if all is well.")
  static final class Doctor extends Asking {
    @Override
    public Integer call() throws IOException {
      JsonNode answer = asked();
      boolean wrong = false;
      for (JsonNode trouble : answer.path("items")) {
        wrong |= !trouble.path("severity").asText().equals("NOTICE");
      }
      for (String severity : List.of("CRITICAL", "WARNING")) {
        wrong |= answer.path(OMITTED).path(severity).asInt() > 0;
      }
      if (!json) {
        if (answer.path("items").isEmpty()) {
          allIsWell(answer);
        }
        Instant now = Instant.now();
        answer.path("items").forEach(trouble -> tell(trouble, now));
        omitted(answer);
      }
      return wrong ? 1 : 0;
    }

    private void tell(JsonNode trouble, Instant now) {
      print(
          "%s: %s %s, %s"
              .formatted(
                  words(trouble.path("severity")),
                  words(trouble.path("rule")),
                  TerminalText.line(subject(trouble)),
                  since(trouble, now)));
      print("  " + TerminalText.line(trouble.path("cause").asText()));
      JsonNode action = trouble.path("action");
      String command =
          action.has("command")
              ? ": " + action.path("command").asText() + ClientCommands.urlOption(url())
              : "";
      print("  -> " + TerminalText.line(action.path("label").asText() + command));
    }
  }

  /** Returns since when it is so, or when it was seen first. */
  private static String since(JsonNode trouble, Instant now) {
    String age = Ages.of(Table.text(trouble.path("since")), now);
    return trouble.path("seen").asBoolean() ? "seen " + age : age;
  }

  /** Returns a constant's words. */
  private static String words(JsonNode constant) {
    return words(constant.asText());
  }

  private static String words(String constant) {
    return constant.toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
