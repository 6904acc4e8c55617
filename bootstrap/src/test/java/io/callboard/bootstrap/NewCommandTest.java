package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that {@code callboard new} writes, and what it refuses; it is built elsewhere. */
class NewCommandTest {
  @TempDir Path parent;

  private List<String> files(Path project) throws IOException {
    try (Stream<Path> files = Files.walk(project)) {
      return files.filter(Files::isRegularFile).map(f -> project.relativize(f).toString()).toList();
    }
  }

  @Test
  void aProjectIsNamedAfterItsDirectory() throws IOException {
    Path project = parent.resolve("Ticket Shop");
    CommandRun written = CommandRun.of("new", project.toString());
    assertThat(written.err()).isEmpty();
    assertThat(written.out()).contains("java -jar target/ticket-shop.jar");
    assertThat(files(project))
        .containsExactlyInAnyOrder(
            "pom.xml",
            "README.md",
            ".gitignore",
            "src/main/resources/logback.xml",
            "src/main/java/com/example/ticketshop/Main.java",
            "src/main/java/com/example/ticketshop/Visitor.java",
            "src/test/java/com/example/ticketshop/VisitorTest.java");
    assertFilled(project);
  }

  private void assertFilled(Path project) throws IOException {
    for (String file : files(project)) {
      assertThat(Files.readString(project.resolve(file)))
          .as(file)
          .doesNotContainPattern("@[a-z-]+@")
          .doesNotContain("io.callboard.examples");
    }
  }

  /** Its tests log what a program logs, not each line of the libraries. */
  @Test
  void anAppIsAProjectWithoutAMainClass() throws IOException {
    Path project = parent.resolve("visits");
    CommandRun written = CommandRun.of("new", project.toString(), "--app");
    assertThat(written.err()).isEmpty();
    assertThat(written.out()).contains("callboard --app target/visits.jar");
    assertThat(files(project))
        .containsExactlyInAnyOrder(
            "pom.xml",
            "README.md",
            ".gitignore",
            "visit.yaml",
            "src/main/resources/META-INF/services/io.callboard.part.NodePart",
            "src/main/java/com/example/visits/VisitorsPart.java",
            "src/main/java/com/example/visits/Visitor.java",
            "src/test/java/com/example/visits/VisitorTest.java",
            "src/test/resources/logback-test.xml");
    assertFilled(project);
  }

  @Test
  void anExistingFileIsNotTouched() throws IOException {
    Path mine = Files.writeString(parent.resolve("mine"), "mine");
    CommandRun.of("new", parent.toString())
        .failed(1, parent + " is not empty: name a new or empty directory");
    CommandRun.of("new", mine.toString())
        .failed(1, mine + " is a file: name a new or empty directory");
    assertThat(files(parent)).containsExactly("mine");
  }

  @Test
  void namesThatMavenOrJavaWouldRefuseAreRefused() {
    String project = parent.resolve("project").toString();
    CommandRun.of("new", project, "--package", "com.new.shop")
        .failed(2, "--package \"com.new.shop\" is not a Java package");
    CommandRun.of("new", project, "--package", "io.callboard.shop")
        .failed(2, "io.callboard is taken");
    CommandRun.of("new", project, "--artifact", "My Shop")
        .failed(2, "--artifact \"My Shop\": use small letters and digits");
    CommandRun.of("new", parent.resolve("42").toString())
        .failed(2, "\"42\" cannot be the name of an artifact: give one with --artifact");
    CommandRun.of("new", parent.resolve("public").toString())
        .failed(2, "com.example.public is not a Java package: give one with --package");
    CommandRun.of("new", project, "--artifact", "n-e-w")
        .failed(2, "com.example.new is not a Java package: give one with --package");
    assertThat(parent).isEmptyDirectory();
    assertThat(
            CommandRun.of("new", parent.resolve("public").toString(), "--package", "a.shop").code())
        .isZero();
  }

  @Test
  void aFileThatCameInBetweenIsKept() throws IOException {
    Path mine = Files.writeString(parent.resolve("pom.xml"), "mine");
    assertThatThrownBy(() -> new NewProject("com.example.shop", "shop", false).write(parent))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage(mine.toString());
    assertThat(mine).hasContent("mine");
  }
}
