package io.callboard.jobs.internal.runner;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.jobs.model.FileContent;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Request to start a run.
 *
 * @param key name of the run
 * @param command program and arguments; the program is looked up on the PATH of the run
 * @param env variables added to the minimal environment; a {@code CALLBOARD_} name is overwritten
 * @param epoch epoch of the grant, handed to the run as its fencing token
 * @param checkpoint last checkpoint of the runs before; null for none
 * @param timeout duration after which it is killed; null for never
 * @param nice how much it gives way to others, 0 to 19
 * @param type name of the type of its job; null if it is unknown
 * @param call call of a handler, instead of the command; null for a process
 */
public record RunRequest(
    RunKey key,
    List<String> command,
    Map<String, String> env,
    long epoch,
    @Nullable FileContent checkpoint,
    @Nullable Duration timeout,
    int nice,
    @Nullable String type,
    @Nullable HandlerCall call) {

  /** Maximum size in bytes of one string in a command or environment, by Linux. */
  private static final int MAX_STRING_BYTES = 128 * 1024 - 1;

  private static final Pattern ENV_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  // the JDK encodes with the first up to 17 and with the second from 18 on
  private static final List<Charset> ENCODINGS =
      List.of(
          Charset.defaultCharset(),
          Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8")));

  /** Copies the collections. */
  public RunRequest {
    command = List.copyOf(command);
    env = Map.copyOf(env);
  }

  /**
   * Call of a handler.
   *
   * @param handler its name
   * @param args arguments
   * @param attempt number of the attempt, from 1
   */
  public record HandlerCall(String handler, JsonNode args, int attempt) {}

  /**
   * Checks that the command and the environment can be passed to the operating system unchanged.
   *
   * @throws RunException of kind INVALID if not
   */
  public void validate() {
    if (command.isEmpty() || command.get(0).isEmpty()) {
      throw RunException.invalid("the command is empty");
    }
    for (int i = 0; i < command.size(); i++) {
      checkText("argument " + i, command.get(i));
    }
    env.forEach(
        (name, value) -> {
          if (!ENV_NAME.matcher(name).matches()) {
            throw RunException.invalid(
                "environment name \""
                    + name
                    + "\" must be letters, digits and _ (no leading digit)");
          }
          checkText("environment variable " + name, value);
        });
  }

  /**
   * Returns the checkpoint as the value of a variable; empty if there is none, or if it is no text
   * that can be one.
   */
  public String checkpointText() {
    if (checkpoint == null) {
      return "";
    }
    try {
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(checkpoint.bytes()))
              .toString();
      boolean fits =
          text.indexOf('\0') < 0
              && ENCODINGS.stream().allMatch(each -> each.newEncoder().canEncode(text));
      return fits ? text : "";
    } catch (CharacterCodingException e) {
      return "";
    }
  }

  private static void checkText(String what, String text) {
    if (text.indexOf('\0') >= 0) {
      throw RunException.invalid(what + " contains a NUL character");
    }
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_STRING_BYTES - 64) {
      throw RunException.invalid(
          what + " has " + bytes + " bytes; the kernel takes " + MAX_STRING_BYTES);
    }
    for (Charset encoding : ENCODINGS) {
      if (!encoding.newEncoder().canEncode(text)) {
        throw RunException.invalid(
            what
                + " has characters that this JVM cannot hand over in "
                + encoding
                + ": start the node with LC_ALL=C.UTF-8");
      }
    }
  }
}
