package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.admin.CallboardAdmin;
import io.callboard.codecs.Json;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Methods, commands, options and resources that errors, log lines and help texts name exist. */
class NamesInTextsTest {
  private static final Path HOME = Path.of(System.getProperty("user.dir"));
  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\\n]|\\\\.)*)\"");
  private static final Pattern JOIN = Pattern.compile("\"\\s*\\+\\s*\"");
  private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*(//|\\*|/\\*).*$");
  private static final Pattern MEMBER =
      Pattern.compile("\\b([A-Z]\\w+)(?:\\.|::)(?!new\\b)([a-z]\\w+)");
  private static final Pattern ADMIN = Pattern.compile("admin\\(\\)\\.(\\w+)");
  private static final Pattern COMMAND =
      Pattern.compile("(?<![\\w-])callboard ([a-z]+)(?: ([a-z]+))?");
  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]*[a-z]");
  private static final Pattern RESOURCE = Pattern.compile("/api/v1(/[a-z{}A-Z/.-]+)");

  private final List<String> wrong = new ArrayList<>();
  private int found;

  /** The texts of a source file: its string literals, joined where they are concatenated. */
  private static List<String> texts(String source) {
    String code = JOIN.matcher(COMMENT.matcher(source).replaceAll("")).replaceAll("");
    return LITERAL.matcher(code).results().map(literal -> literal.group(1)).toList();
  }

  private static void sources(Path below, BiConsumer<Path, String> text) throws IOException {
    try (Stream<Path> files = Files.walk(below)) {
      for (Path file :
          files
              .filter(each -> each.toString().endsWith(".java"))
              .filter(each -> each.toString().contains("/src/main/java/"))
              .toList()) {
        texts(Files.readString(file)).forEach(each -> text.accept(file, each));
      }
    }
  }

  private static Map<String, String> classes() throws IOException {
    Map<String, String> classes = new TreeMap<>();
    try (Stream<Path> files = Files.walk(HOME.getParent())) {
      files
          .map(Path::toString)
          .filter(each -> each.endsWith(".java") && each.contains("/src/main/java/"))
          .forEach(
              each -> {
                String name =
                    each.substring(each.indexOf("/src/main/java/") + 15, each.length() - 5);
                classes.put(name.substring(name.lastIndexOf('/') + 1), name.replace('/', '.'));
              });
    }
    return classes;
  }

  private static boolean has(Class<?> type, String member) {
    return Stream.concat(Stream.of(type.getMethods()), Stream.of(type.getDeclaredMethods()))
            .map(Method::getName)
            .anyMatch(member::equals)
        || Stream.of(type.getDeclaredFields()).map(Field::getName).anyMatch(member::equals);
  }

  private void check(Path file, String text, String name, boolean exists) {
    found++;
    if (!exists) {
      wrong.add("%s names %s: %s".formatted(file.getFileName(), name, text));
    }
  }

  private void assertAllExist(int atLeast) {
    assertThat(wrong).isEmpty();
    assertThat(found).as("names that were found").isGreaterThan(atLeast);
  }

  @Test
  void methodsExist() throws IOException {
    Map<String, String> classes = classes();
    sources(
        HOME.getParent(),
        (file, text) -> {
          for (MatchResult named : MEMBER.matcher(text).results().toList()) {
            String type = classes.get(named.group(1));
            if (type != null && !named.group(2).equals("java")) { // else a file
              check(file, text, named.group(), has(type(type), named.group(2)));
            }
          }
          for (MatchResult named : ADMIN.matcher(text).results().toList()) {
            check(file, text, named.group(), has(CallboardAdmin.class, named.group(1)));
          }
        });
    assertAllExist(5);
  }

  private static Class<?> type(String name) {
    try {
      return Class.forName(name, false, NamesInTextsTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void commandsExist() throws IOException {
    CommandLine program = Main.commands();
    sources(
        HOME.getParent(),
        (file, text) -> {
          for (MatchResult named : COMMAND.matcher(text).results().toList()) {
            check(file, text, named.group(), program.getSubcommands().containsKey(named.group(1)));
          }
        });
    assertAllExist(10);
  }

  @Test
  void optionsExist() throws IOException {
    Set<String> options = new TreeSet<>(Set.of("--help", "--cluster")); // one of Vert.x itself
    options(Main.commands(), options);
    sources(
        HOME.resolve("src/main"),
        (file, text) ->
            OPTION
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .forEach(option -> check(file, text, option, options.contains(option))));
    assertAllExist(50);
  }

  private static void options(CommandLine command, Set<String> options) {
    options.addAll(command.getCommandSpec().optionsMap().keySet());
    command.getSubcommands().values().forEach(each -> options(each, options));
  }

  @Test
  void resourcesExist() throws IOException {
    JsonNode paths =
        Json.parse(
                "the contract",
                NamesInTextsTest.class
                    .getResourceAsStream("/io/callboard/dashboard/openapi.json")
                    .readAllBytes())
            .path("paths");
    List<String> known = new ArrayList<>(List.of("/openapi.json"));
    paths.fieldNames().forEachRemaining(path -> known.add(path.replaceAll("\\{\\w+}", "[^ ]+")));
    sources(
        HOME.getParent(),
        (file, text) ->
            RESOURCE
                .matcher(text)
                .results()
                .forEach(
                    named ->
                        check(
                            file,
                            text,
                            named.group(),
                            known.stream().anyMatch(path -> named.group(1).matches(path)))));
    assertAllExist(0);
  }
}
