package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.bootstrap.PublicPackages.Module;
import io.callboard.bootstrap.process.ShutdownHook;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.DocumentationTool;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Javadoc and sources that are published with the jars: whole, for users only, without warnings.
 */
class JavadocIT {
  static List<Module> modules() {
    return PublicPackages.modules();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void theJavadocHasThePackagesForUsersAndNoOther(Module module) throws IOException {
    Path jar = Published.required(module.artifact("-javadoc.jar"), module.artifact(".jar"));
    Set<String> forUsers = new TreeSet<>(module.packages());
    forUsers.retainAll(PublicPackages.DOCUMENTED);
    try (ZipFile zip = new ZipFile(jar.toFile());
        BufferedReader list = reader(zip, "element-list")) {
      assertThat(list.lines()).containsExactlyInAnyOrderElementsOf(forUsers).isNotEmpty();
      assertThat(zip.stream().map(ZipEntry::getName))
          .contains(
              "index.html", forUsers.iterator().next().replace('.', '/') + "/package-summary.html");
    }
  }

  private static BufferedReader reader(ZipFile zip, String name) throws IOException {
    ZipEntry entry = zip.getEntry(name);
    assertThat(entry).as("%s of %s", name, zip.getName()).isNotNull();
    return new BufferedReader(
        new InputStreamReader(zip.getInputStream(entry), StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @MethodSource("modules")
  void theSourcesAreAllThere(Module module) throws IOException {
    Path jar = Published.required(module.artifact("-sources.jar"), module.artifact(".jar"));
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      Set<String> packages =
          zip.stream()
              .map(ZipEntry::getName)
              .filter(name -> name.endsWith(".java") && name.startsWith("io/callboard/"))
              .map(name -> name.substring(0, name.lastIndexOf('/')).replace('/', '.'))
              .collect(Collectors.toCollection(TreeSet::new));
      assertThat(packages).containsAll(module.packages()).isNotEmpty();
    }
  }

  /** With the options of the build, for all modules at once: a link into another one is a link. */
  @Test
  @Tag("long")
  void thePackagesForUsersRenderWithoutErrorsAndWarnings(@TempDir Path folder) throws IOException {
    List<Path> sources = modules().stream().flatMap(each -> each.sources().stream()).toList();
    assertThat(rendered(sources, PublicPackages.DOCUMENTED, folder)).isEmpty();
    assertThat(folder.resolve("io/callboard/Actor.html")).content().contains("ActorRef.html");
    try (Stream<Path> pages = Files.walk(folder)) {
      assertThat(pages.filter(page -> page.toString().endsWith(".html")))
          .hasSizeGreaterThan(300)
          .allSatisfy(page -> assertThat(page).content().doesNotContain("invalid-tag"));
    }
  }

  @Test
  void aLinkThatLeadsNowhereIsReported(@TempDir Path folder) throws IOException {
    Path source = Files.createDirectories(folder.resolve("src/wrong")).resolve("Wrong.java");
    Files.writeString(
        source, "package wrong;\n/** See {@link Missing}. */\npublic class Wrong {}\n");
    assertThat(rendered(List.of(folder.resolve("src")), Set.of("wrong"), folder.resolve("api")))
        .singleElement()
        .asString()
        .contains("Wrong.java", "Missing");
  }

  /** Renders packages and returns the errors and warnings. */
  private static List<String> rendered(List<Path> sources, Set<String> packages, Path folder)
      throws IOException {
    DocumentationTool tool = ToolProvider.getSystemDocumentationTool();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    List<String> options =
        new ArrayList<>(
            List.of("-quiet", "-d", folder.toString(), "-source", "17", "-Xdoclint:all,-missing"));
    options.addAll(List.of("-classpath", System.getProperty("java.class.path")));
    options.addAll(
        List.of(
            "-sourcepath",
            sources.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator))));
    options.addAll(new TreeSet<>(packages));
    StringWriter output = new StringWriter();
    try (StandardJavaFileManager files = tool.getStandardFileManager(found, null, null)) {
      boolean done = tool.getTask(output, files, found, null, options, null).call();
      List<String> complaints =
          found.getDiagnostics().stream()
              .filter(each -> !isOfSignal(each) && each.getKind() != Diagnostic.Kind.NOTE)
              .map(Object::toString)
              .toList();
      assertThat(done || !complaints.isEmpty()).as(output.toString()).isTrue();
      return complaints;
    }
  }

  /** The one that no option turns off: {@link ShutdownHook} uses {@code sun.misc.Signal}. */
  private static boolean isOfSignal(Diagnostic<? extends JavaFileObject> each) {
    return each.getMessage(Locale.ROOT).contains("sun.misc.Signal");
  }
}
