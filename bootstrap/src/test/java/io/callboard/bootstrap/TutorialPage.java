package io.callboard.bootstrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code docs/tutorial.md}, as its reader follows it: files to create and commands to run. */
final class TutorialPage {
  private static final Path PAGE = Path.of("docs", "tutorial.md").toAbsolutePath();
  private static final Pattern FILE = Pattern.compile("`([\\w./-]+\\.(?:java|xml))`");

  /** What the reader does next. */
  sealed interface Part {}

  /**
   * A file to create.
   *
   * @param path relative to the directory of the project
   */
  record SourceFile(String path, String content) implements Part {}

  /**
   * Commands to run, one block of them.
   *
   * @param expected lines of their output, in order, among others; may be empty
   */
  record Commands(int line, String script, List<String> expected) implements Part {
    /** Whether they only look, so that they may be run again until the output is there. */
    boolean look() {
      return script.lines().allMatch(Commands::isLook);
    }

    /** A request with a key of its own may be repeated, too: that is what the key is for. */
    private static boolean isLook(String command) {
      return command.startsWith("grep ")
          || command.startsWith("echo ")
          || command.startsWith("refund ")
          || (command.startsWith("curl ") && !command.contains(" -X "));
    }

    /** The first expected line that is missing in the output after those before it. */
    Optional<String> missing(String output) {
      List<String> lines = output.lines().toList();
      int next = 0;
      for (String line : expected) {
        Pattern pattern = pattern(line);
        while (next < lines.size() && !pattern.matcher(lines.get(next)).matches()) {
          next++;
        }
        if (next == lines.size()) {
          return Optional.of(line);
        }
        next++;
      }
      return Optional.empty();
    }

    private static Pattern pattern(String line) {
      List<String> literal = List.of(line.split("…", -1));
      return Pattern.compile(String.join(".*", literal.stream().map(Pattern::quote).toList()));
    }
  }

  /** A fenced block. */
  private record Block(int line, String language, String before, String text) {}

  private TutorialPage() {}

  /** Reads the page. */
  static List<Part> read() throws IOException {
    List<Part> parts = new ArrayList<>();
    for (Block block : blocks()) {
      switch (block.language()) {
        case "java", "xml" -> parts.add(new SourceFile(name(block), block.text()));
        case "sh" -> parts.add(new Commands(block.line(), block.text(), List.of()));
        case "text" -> parts.add(expecting(parts.remove(parts.size() - 1), block));
        default ->
            throw new IllegalStateException(
                "tutorial.md, line %d: a block is java, xml, sh or text".formatted(block.line()));
      }
    }
    return parts;
  }

  private static Part expecting(Part part, Block block) {
    if (part instanceof Commands commands && commands.expected().isEmpty()) {
      return new Commands(commands.line(), commands.script(), block.text().lines().toList());
    }
    throw new IllegalStateException(
        "tutorial.md, line %d: output stands after its commands".formatted(block.line()));
  }

  private static String name(Block block) {
    Matcher file = FILE.matcher(block.before());
    if (!file.matches()) {
      throw new IllegalStateException(
          "tutorial.md, line %d: the name of the file stands before the block"
              .formatted(block.line()));
    }
    return file.group(1);
  }

  private static List<Block> blocks() throws IOException {
    List<Block> blocks = new ArrayList<>();
    List<String> lines = Files.readAllLines(PAGE);
    String before = "";
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith("```")) {
        int end = i + 1 + lines.subList(i + 1, lines.size()).indexOf("```");
        String text = String.join("\n", lines.subList(i + 1, end)) + "\n";
        blocks.add(new Block(i + 1, line.substring(3), before, text));
        i = end;
      } else if (!line.isBlank()) {
        before = line;
      }
    }
    return blocks;
  }
}
