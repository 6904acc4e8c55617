package io.callboard.bootstrap;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Generator of the pages of the reference: each is made of what the program itself uses. */
final class ReferencePages {
  private static final Path ROOT = Path.of(System.getProperty("user.dir")).getParent();
  private static final Path DASHBOARD = ROOT.resolve("verticles/dashboard/src/main");
  private static final Path CONTRACT =
      DASHBOARD.resolve("resources/io/callboard/dashboard/openapi.json");
  private static final Path PROBLEMS =
      DASHBOARD.resolve("java/io/callboard/dashboard/internal/contract/Problem.java");
  private static final Path DEFECTS =
      ROOT.resolve(
          "verticles/workflows/src/main/java/io/callboard/workflows/graph/GraphDefect.java");
  private static final Path CODES =
      ROOT.resolve("verticles/core/src/main/java/io/callboard/CallboardException.java");

  /** A constant of an enum in a source file, with its Javadoc. */
  private static final Pattern CONSTANT =
      Pattern.compile(
          "/\\*\\*((?:(?!\\*/).)*)\\*/\\s+([A-Z_0-9]+)(?:\\((\\d+), \"[^\"]*\"\\))?[,;\\s]",
          Pattern.DOTALL);

  private static final Pattern LINK = Pattern.compile("\\{@(?:link|code) ([^}]*)}");

  private ReferencePages() {}

  /** The pages by name of their files below {@code docs/reference}. */
  static Map<String, String> all() throws IOException {
    return Map.of(
        "cli.md",
        cli(),
        "configuration.md",
        configuration(),
        "rest.md",
        rest(),
        "errors.md",
        errors(),
        "job-states.md",
        JobStatesPage.text());
  }

  private static String cli() {
    StringBuilder page =
        new StringBuilder(
            """
            # Command line

            `bootstrap/bin/callboard`, or `java -jar callboard.jar`, without a command runs a node.

            | exit code | of a node | of a command |
            |---|---|---|
            | 0 | stopped | done |
            | 1 | could not start, or failed | failed |
            | 2 | wrong option, key, variable or file | wrong argument |
            | 3 | out of memory | of `fsck`, `repair` and `archive`: something is left to do |

            One line on standard error says why; the log file of a node has the rest. `submit --wait` ends with the exit \
            code of the job. The JVM ends with 3 when it is out of memory if it is told to, as `bin/callboard` and \
            `conf/cluster` do: a command of `bin/callboard` may, too, and says so in a line with `OutOfMemoryError`.
            """);
    CommandLine program = Main.commands();
    page.append(
        """

        ## Asking a node

        Commands that ask a node take these, too, besides the arguments in their tables:

        | argument | meaning |
        |---|---|
        """);
    Set<String> asking = new LinkedHashSet<>();
    for (OptionSpec option : program.getSubcommands().get("hosts").getCommandSpec().options()) {
      asking.add(option.longestName());
      argument(page, option);
    }
    command(page, "callboard", program, asking);
    return page.toString();
  }

  private static void command(
      StringBuilder page, String name, CommandLine command, Set<String> asking) {
    CommandSpec spec = command.getCommandSpec();
    page.append("\n## ").append(name).append("\n\n");
    page.append(String.join(" ", spec.usageMessage().description())).append("\n");
    List<ArgSpec> arguments = new ArrayList<>(spec.positionalParameters());
    arguments.addAll(spec.options());
    arguments.removeIf(ArgSpec::hidden);
    if (asksANode(spec, asking)) {
      page.append("\nIt [asks a node](#asking-a-node).\n");
      arguments.removeIf(
          each -> each instanceof OptionSpec option && asking.contains(option.longestName()));
    }
    if (!arguments.isEmpty()) {
      page.append("\n| argument | meaning |\n|---|---|\n");
      arguments.forEach(argument -> argument(page, argument));
    }
    command
        .getSubcommands()
        .forEach((each, subcommand) -> command(page, name + " " + each, subcommand, asking));
  }

  private static boolean asksANode(CommandSpec spec, Set<String> asking) {
    return spec.options().stream()
        .map(OptionSpec::longestName)
        .collect(Collectors.toSet())
        .containsAll(asking);
  }

  private static void argument(StringBuilder page, ArgSpec argument) {
    String label =
        argument instanceof OptionSpec option
            ? String.join(", ", option.names())
                + (option.arity().max() == 0 ? "" : " " + argument.paramLabel())
            : argument.paramLabel();
    String meaning =
        String.join(" ", argument.description())
            .replace("${DEFAULT-VALUE}", String.valueOf(argument.defaultValue()));
    row(page, "`" + label + "`", meaning);
  }

  private static void row(StringBuilder page, String... cells) {
    page.append("| ")
        .append(
            List.of(cells).stream()
                .map(cell -> cell.replace("|", "\\|").replace("\n", " ").strip())
                .collect(Collectors.joining(" | ")))
        .append(" |\n");
  }

  private static String configuration() throws IOException {
    return """
        # Configuration of a node

        `--conf FILE` reads YAML or JSON. Each key is also an option (`--http-port`) and an environment variable \
        (`CALLBOARD_HTTP_PORT`). The command line wins over the environment, the environment over the file. This is \
        `conf/node.yaml`, with every key and its default:

        ```yaml
        %s```

        The keys of scheduling zones are in `conf/zones.yaml`:

        ```yaml
        %s```
        """
        .formatted(
            Files.readString(ROOT.resolve("conf/node.yaml")),
            Files.readString(ROOT.resolve("conf/zones.yaml")));
  }

  private static String rest() throws IOException {
    JsonNode contract = Json.parse("openapi.json", Files.readAllBytes(CONTRACT));
    StringBuilder page =
        new StringBuilder(
            """
            # REST API

            Below `/api/v1` of a node. `GET /api/v1/openapi.json` is the contract (OpenAPI), which the router follows. A \
            2xx to a POST means durable. Errors: [errors](errors.md). The role is what a caller needs where the node asks \
            for a [login](../guides/secure.md#who-may-what). Every write has the media type of JSON, also without a body, and \
            takes a reason in the header `X-Callboard-Reason`.

            | request | what it does | role | parameters | answers |
            |---|---|---|---|---|
            """);
    contract
        .path("paths")
        .properties()
        .forEach(
            path ->
                path.getValue().properties().stream()
                    .filter(verb -> verb.getValue().has("responses"))
                    .forEach(
                        verb ->
                            row(
                                page,
                                "`%s %s`".formatted(upper(verb.getKey()), path.getKey()),
                                verb.getValue().path("summary").asText(),
                                verb.getValue().path("x-role").asText(),
                                parameters(contract, verb.getValue()),
                                answers(verb.getValue()))));
    page.append("\n## States\n\n| state of | values | remarks |\n|---|---|---|\n");
    states(page, "a job", contract, "Job");
    states(page, "a run of a job", contract, "JobRun");
    states(page, "an instance of a workflow", contract, "Workflow");
    states(page, "a step of an instance", contract, "WorkflowStep");
    return page.toString();
  }

  private static void states(StringBuilder page, String whose, JsonNode contract, String schema) {
    JsonNode state =
        contract.path("components").path("schemas").path(schema).path("properties").path("state");
    List<String> values = new ArrayList<>();
    state.path("enum").forEach(value -> values.add("`" + value.asText() + "`"));
    row(page, whose, String.join(", ", values), state.path("description").asText());
  }

  private static String upper(String verb) {
    return verb.toUpperCase(java.util.Locale.ROOT);
  }

  private static String parameters(JsonNode contract, JsonNode operation) {
    List<String> names = new ArrayList<>();
    for (JsonNode each : operation.path("parameters")) {
      JsonNode parameter = resolved(contract, each);
      boolean everywhere = parameter.path("name").asText().equals("X-Callboard-Reason");
      if (!parameter.path("in").asText().equals("path") && !everywhere) {
        names.add("`" + parameter.path("name").asText() + "`");
      }
    }
    if (operation.has("requestBody")) {
      names.add("body");
    }
    return String.join(", ", names);
  }

  private static JsonNode resolved(JsonNode contract, JsonNode node) {
    String reference = node.path("$ref").asText();
    return reference.isEmpty() ? node : contract.at(reference.substring(1));
  }

  private static String answers(JsonNode operation) {
    List<String> codes = new ArrayList<>();
    operation.path("responses").fieldNames().forEachRemaining(codes::add);
    codes.remove("default");
    return String.join(", ", codes);
  }

  private static String errors() throws IOException {
    StringBuilder page =
        new StringBuilder(
            """
            # Errors

            ## In REST

            `application/problem+json` (RFC 9457) with `type`, `title`, `status`, `detail`, `instance`, `code` and \
            `errors` (`pointer`, `detail`). Compare the `code`; `detail` is for people.

            | code | status | meaning |
            |---|---|---|
            """);
    for (MatchResult constant : constants(PROBLEMS, "enum Kind")) {
      row(page, "`" + constant.group(2) + "`", constant.group(3), text(constant.group(1)));
    }
    page.append(
        """

        ## In code

        A failed `tell`, `ask`, `spawn` or command fails its future with a `CallboardException`. Its `code()` says what to \
        do:

        | code | meaning |
        |---|---|
        """);
    for (MatchResult constant : constants(CODES, "enum Code")) {
      row(page, "`" + constant.group(2) + "`", text(constant.group(1)));
    }
    page.append(
        """

        ## Of workflow definitions

        A definition that is refused is answered with 422 and all its errors, each with a code. The warnings come with a \
        definition that was accepted.

        | code | meaning |
        |---|---|
        """);
    for (MatchResult constant : constants(DEFECTS, "enum Code")) {
      row(page, "`" + constant.group(2) + "`", text(constant.group(1)));
    }
    return page.toString();
  }

  private static List<MatchResult> constants(Path source, String begin) throws IOException {
    String text = Files.readString(source);
    int from = text.indexOf(begin);
    int to = text.indexOf("\n    private ", from) > 0 ? text.indexOf("\n    private ", from) : -1;
    int end = text.indexOf("\n  }", from);
    String body = text.substring(from, to > 0 && to < end ? to : end + 1);
    return CONSTANT.matcher(body).results().toList();
  }

  private static String text(String javadoc) {
    String plain = javadoc.replaceAll("\\s*\\n\\s*\\* ?", " ").strip();
    return LINK.matcher(plain).replaceAll(link -> "`" + name(link.group(1)) + "`");
  }

  /** Returns the name of what a link leads to, without package: {@code Callboard.stop}. */
  private static String name(String link) {
    return link.replaceFirst("^([a-z]+\\.)+", "").replaceFirst("^#", "").replace('#', '.');
  }
}
