package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.bootstrap.client.NodeClient.Answer;
import io.callboard.bootstrap.config.LoginOptions;
import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.audit.Reason;
import io.callboard.dashboard.internal.guard.HostRule;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Base of the client commands: address of the node, REST calls, output. */
abstract class ClientCommand implements Callable<Integer> {
  /** Address of a node that was started without options. */
  static final String USUAL_URL = "http://127.0.0.1:8080";

  @Spec @Nullable CommandSpec spec;

  private @Nullable NodeClient client;

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = USUAL_URL,
      description =
          "Address of the node (default: ${DEFAULT-VALUE}; environment variable CALLBOARD_URL).")
  String url = USUAL_URL;

  @Mixin LoginOptions login = new LoginOptions();

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Why, for the audit of the node, if the command changes something.")
  @Nullable String reason;

  @Option(names = "--json", description = "Prints the answer as JSON.")
  boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this help.")
  boolean help;

  /** Returns the address of the node, of which HOST:PORT is enough. */
  String url() {
    String full = url.contains("://") ? url : "http://" + url;
    return full.endsWith("/") ? full.substring(0, full.length() - 1) : full;
  }

  JsonNode get(String path) throws IOException {
    return send("GET", path, null);
  }

  JsonNode post(String path, @Nullable Object body) throws IOException {
    return send("POST", path, body);
  }

  JsonNode put(String path, Object body) throws IOException {
    return send("PUT", path, body);
  }

  private JsonNode send(String method, String path, @Nullable Object body) throws IOException {
    return Json.parse("the answer of the node", answer(method, path, body).body());
  }

  /** Returns the client of the node, which logs in as the options say. */
  NodeClient client() {
    NodeClient made = client;
    if (made == null) {
      Map<String, String> headers = new LinkedHashMap<>();
      login
          .authorization(spec().commandLine())
          .ifPresent(value -> headers.put("Authorization", checked(value)));
      if (reason != null) {
        headers.put(Reason.HEADER, encoded(reason));
      }
      made = new NodeClient(url(), headers);
      client = made;
    }
    return made;
  }

  /** Returns a login if it may be sent to the node: to another machine not in clear text. */
  private String checked(String authorization) {
    String to = url();
    if (to.startsWith("https://") || login.plainHttp || isLoopback(to)) {
      return authorization;
    }
    throw StartupFailure.usage(
        "the login would be sent to %s in clear text: use https, or give --plain-http"
            .formatted(to));
  }

  private static boolean isLoopback(String to) {
    try {
      String host = URI.create(to).getHost();
      return host != null && HostRule.isLoopback(host);
    } catch (IllegalArgumentException e) {
      return false; // no address at all
    }
  }

  /** Sends a request whose answer need not be JSON. */
  Answer answer(String method, String path, @Nullable Object body) throws IOException {
    return client().send(method, path, body);
  }

  /** A segment of a path, or a value of the query, as it is written in an address. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /**
   * Returns the JSON that is the value of an option.
   *
   * @param given the JSON, or {@code @} and the name of the file with it
   */
  JsonNode json(String option, String given) throws IOException {
    byte[] text =
        given.startsWith("@")
            ? Files.readAllBytes(Path.of(given.substring(1)))
            : given.getBytes(StandardCharsets.UTF_8);
    try {
      return Json.parse(option, text);
    } catch (CodecException e) {
      throw new ParameterException(spec().commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  CommandSpec spec() {
    if (spec == null) {
      throw new IllegalStateException("not made by picocli");
    }
    return spec;
  }

  /** Prints a line; JSON as it is, text without what commands a terminal. */
  void print(String line) {
    spec().commandLine().getOut().println(json ? line : TerminalText.text(line));
    spec().commandLine().getOut().flush();
  }

  /** Prints without ending the line; false if nobody reads the output any more. */
  boolean write(String text) {
    PrintWriter out = spec().commandLine().getOut();
    out.print(text);
    return !out.checkError(); // which flushes
  }

  /** Prints a line about what is wrong with what the user gave, without the program's name. */
  void complain(String line) {
    PrintWriter err = spec().commandLine().getErr();
    err.println(TerminalText.text(line));
    err.flush();
  }

  /** Prints a line that is not part of the answer. */
  void note(String line) {
    PrintWriter err = spec().commandLine().getErr();
    err.println("callboard: " + TerminalText.text(line));
    err.flush();
  }
}
