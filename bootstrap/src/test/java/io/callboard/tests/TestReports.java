package io.callboard.tests;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Reports of Maven's test plugins: how long each class took, and which tests passed only when they
 * were repeated.
 *
 * <p>A program for {@code .ci/run}, which the JDK runs from its source: it needs no other class. It
 * prints the slowest classes, what each module took, and the flakes. It fails if a class takes more
 * than its share, if there are fewer tests than there should be, or if a test passed only when it
 * was repeated and its class is not tagged {@code real}.
 */
public record TestReports(List<TimedClass> classes) {
  /**
   * Largest share of a class in the time of all classes. A share, not a number of seconds: on a
   * slow machine all classes are slower.
   */
  static final double SHARE = 0.03;

  private static final int SLOWEST = 25;

  /**
   * Test class that ran.
   *
   * @param tests number of tests, with those that were skipped
   * @param flakes tests that passed only when they were repeated
   */
  record TimedClass(
      String module, String name, int tests, int skipped, double seconds, List<Flake> flakes) {}

  /**
   * Test that failed and passed when it was repeated.
   *
   * @param failure first line of what was wrong
   */
  record Flake(String method, String failure) {}

  /** Reads all reports in folders of a name, below a folder. */
  static TestReports in(Path root, String reports) throws IOException {
    List<TimedClass> classes = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            return name.equals("src") || name.equals(".git") || name.equals("it")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            String name = file.getFileName().toString();
            if (name.startsWith("TEST-") && name.endsWith(".xml") && isBelow(file, reports)) {
              classes.add(read(root, file));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return new TestReports(List.copyOf(classes));
  }

  private static boolean isBelow(Path file, String reports) {
    for (Path part : file) {
      if (part.toString().equals("failsafe-" + reports)
          || part.toString().equals("surefire-" + reports)) {
        return true;
      }
    }
    return false;
  }

  private static TimedClass read(Path root, Path file) throws IOException {
    Element suite;
    try {
      suite =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(file.toFile())
              .getDocumentElement();
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(file + " cannot be read", e);
    }
    String name = suite.getAttribute("name");
    NodeList cases = suite.getElementsByTagName("testcase");
    return new TimedClass(
        module(root, file, name),
        name,
        cases.getLength(),
        suite.getElementsByTagName("skipped").getLength(),
        Double.parseDouble(suite.getAttribute("time").replace(",", "")),
        flakes(cases));
  }

  private static List<Flake> flakes(NodeList cases) {
    List<Flake> flakes = new ArrayList<>();
    for (int i = 0; i < cases.getLength(); i++) {
      Element test = (Element) cases.item(i);
      for (String kind : List.of("flakyFailure", "flakyError")) {
        NodeList failures = test.getElementsByTagName(kind);
        if (failures.getLength() > 0) {
          Element first = (Element) failures.item(0);
          String method = test.getAttribute("name").replaceFirst("[({\\[].*", "");
          String failure = first.getAttribute("message").strip().lines().findFirst().orElse("");
          flakes.add(new Flake(method, failure.isEmpty() ? first.getAttribute("type") : failure));
        }
      }
    }
    return List.copyOf(flakes);
  }

  /** Returns the module whose class it is: the tests of several modules may have run in one. */
  private static String module(Path root, Path report, String name) throws IOException {
    String compiled = "target/test-classes/%s.class".formatted(name.replace('.', '/'));
    List<Path> modules =
        new ArrayList<>(List.of(root.resolve("codecs"), root.resolve("bootstrap")));
    if (Files.isDirectory(root.resolve("verticles"))) {
      try (Stream<Path> verticles = Files.list(root.resolve("verticles"))) {
        modules.addAll(verticles.filter(each -> !each.toString().endsWith("tests")).toList());
      }
    }
    String path = root.relativize(report).toString();
    return modules.stream()
        .filter(each -> Files.exists(each.resolve(compiled)))
        .findFirst()
        .map(each -> root.relativize(each).toString())
        .orElse(path.substring(0, path.indexOf("/target/")));
  }

  /**
   * Returns whether the source of a class tags it {@code real}: it starts processes or servers, or
   * speaks to them, so what it sees may depend on the machine.
   */
  static boolean isReal(Path root, TimedClass tested) throws IOException {
    String outer = tested.name().replaceFirst("\\$.*", "").replace('.', '/');
    Path source = root.resolve(tested.module()).resolve("src/test/java/" + outer + ".java");
    return Files.readString(source).lines().anyMatch("@Tag(\"real\")"::equals);
  }

  int tests() {
    return classes.stream().mapToInt(TimedClass::tests).sum();
  }

  int skipped() {
    return classes.stream().mapToInt(TimedClass::skipped).sum();
  }

  double seconds() {
    return classes.stream().mapToDouble(TimedClass::seconds).sum();
  }

  /** Returns the classes that take more than their share; integration tests are few, and may. */
  List<TimedClass> tooSlow() {
    double limit = seconds() * SHARE;
    return classes.stream()
        .filter(each -> !each.name().endsWith("IT") && each.seconds() > limit)
        .toList();
  }

  /** Returns a table for people: modules in the order of their names, then the slowest classes. */
  String table() {
    StringBuilder table = new StringBuilder();
    Map<String, List<TimedClass>> modules =
        classes.stream()
            .collect(Collectors.groupingBy(TimedClass::module, TreeMap::new, Collectors.toList()));
    table.append(row("module", "classes", "tests", "skipped", "seconds"));
    modules.forEach((module, of) -> table.append(new TestReports(of).row(module)));
    table.append(row("all"));
    table.append("%n%8s  slowest classes%n".formatted("seconds"));
    classes.stream()
        .sorted(Comparator.comparingDouble(TimedClass::seconds).reversed())
        .limit(SLOWEST)
        .forEach(each -> table.append("%8s  %s%n".formatted(digits(each.seconds()), each.name())));
    return table.toString();
  }

  private String row(String module) {
    return row(
        module,
        String.valueOf(classes.size()),
        String.valueOf(tests()),
        String.valueOf(skipped()),
        digits(seconds()));
  }

  private static String row(Object... cells) {
    return "%-22s %8s %8s %8s %8s%n".formatted(cells);
  }

  private static String digits(double seconds) {
    return String.format(Locale.ROOT, "%.1f", seconds);
  }

  /**
   * Prints the table, and exits with 1 if something is wrong.
   *
   * @param arguments the root of the project, the kind of reports ({@code reports} or {@code
   *     shard-reports}), the fewest tests that there should be (0 for a part of the tests, of which
   *     no class is judged), and the turn
   */
  public static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments[0]);
    TestReports times = in(root, arguments[1]);
    int fewest = Integer.parseInt(arguments[2]);
    System.out.print(times.table());
    boolean ok = true;
    if (times.tests() < fewest) {
      System.out.printf("only %d tests ran, %d are expected%n", times.tests(), fewest);
      ok = false;
    }
    for (TimedClass each : fewest > 0 ? times.tooSlow() : List.<TimedClass>of()) {
      System.out.printf(
          Locale.ROOT,
          "%s takes %.1f s, more than %.0f %% of all: make it faster, or tag it long%n",
          each.name(),
          each.seconds(),
          SHARE * 100);
      ok = false;
    }
    for (TimedClass each : times.classes()) {
      for (Flake flake : each.flakes()) {
        System.out.printf(
            "passed when repeated, belongs in conf/tests/flakes.tsv:%n%s\t%s\t%s\t%s%n",
            arguments[3], each.name(), flake.method(), flake.failure());
        if (!isReal(root, each)) {
          System.out.println(
              "it is not tagged real, so it must not depend on the machine: mend it");
          ok = false;
        }
      }
    }
    System.exit(ok ? 0 : 1);
  }
}
