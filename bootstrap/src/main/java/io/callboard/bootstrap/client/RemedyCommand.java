package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** Command that does what a {@code remedy} of the HTTP interface names. */
final class RemedyCommand {
  private static final Map<String, String> COMMANDS =
      Map.of(
          "create-type", "callboard limit %s N",
          "resume-type", "callboard resume %s",
          "raise-limit", "callboard limit %s N",
          "raise-label-limit", "callboard limits set %s N",
          "undrain", "callboard undrain %s",
          "rerun", "callboard rerun %s",
          "release", "callboard release %s");

  private RemedyCommand() {}

  /** Returns what would change a reason, in words, with the command that does it, if one does. */
  static String changesWhen(JsonNode reason) {
    String words = reason.path("changesWhen").asText();
    JsonNode remedy = reason.path("remedy");
    String command = COMMANDS.get(remedy.path("action").asText());
    return command == null
        ? words
        : "%s: %s"
            .formatted(words, command.formatted(ShellWord.of(remedy.path("subject").asText())));
  }
}
