package io.callboard.bootstrap;

import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.bootstrap.process.Console;
import io.callboard.node.internal.data.FileFailure;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.SourceVersion;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a project of one's own that builds, tests and runs. */
@Command(
    sortOptions = false,
    description =
        "Writes a Maven project with an actor, its test and a main class that starts a node. It builds with mvn verify; its README shows how to run it.")
final class NewCommand implements Callable<Integer> {
  private static final Pattern ARTIFACT = Pattern.compile("[a-z][a-z0-9]*([._-][a-z0-9]+)*");
  private static final Set<String> TOOLKIT = Set.of("io.callboard", "java", "javax");

  @Parameters(paramLabel = "DIR", description = "Directory of the project: new, or empty.")
  Path directory = Path.of("");

  @Option(
      names = "--package",
      paramLabel = "PACKAGE",
      description = "Java package (default: com.example. and the artifact).")
  @Nullable String packageName;

  @Option(
      names = "--artifact",
      paramLabel = "NAME",
      description = "Maven artifact and name of the jar (default: the name of the directory).")
  @Nullable String artifact;

  @Option(
      names = "--app",
      description = "A jar for callboard --app, instead of a program with a node.")
  boolean app;

  @Mixin Console console = new Console();

  @Override
  public Integer call() {
    Path target = directory.toAbsolutePath().normalize();
    String artifactId = artifact == null ? artifactOf(target) : checkedArtifact(artifact);
    String inPackage = packageName == null ? packageOf(artifactId) : checkedPackage(packageName);
    try {
      requireEmpty(target);
      new NewProject(inPackage, artifactId, app).write(target);
    } catch (FileAlreadyExistsException e) {
      throw StartupFailure.failed(
          "%s was made by another program meanwhile and is kept: name a new or empty directory"
              .formatted(e.getFile()));
    } catch (IOException e) {
      throw StartupFailure.failed(
          "the project cannot be written to %s: %s".formatted(target, FileFailure.reason(e)));
    }
    console.print(
        "%s: a project that builds with mvn verify and runs with %s target/%s.jar; see its README.md"
            .formatted(directory, app ? "callboard --app" : "java -jar", artifactId));
    return 0;
  }

  private static void requireEmpty(Path target) throws IOException {
    if (!Files.exists(target)) {
      return;
    }
    if (!Files.isDirectory(target)) {
      throw StartupFailure.failed("%s is a file: name a new or empty directory".formatted(target));
    }
    try (Stream<Path> files = Files.list(target)) {
      if (files.findAny().isPresent()) {
        throw StartupFailure.failed(
            "%s is not empty: name a new or empty directory".formatted(target));
      }
    }
  }

  private static String artifactOf(Path target) {
    Path last = target.getFileName();
    String name =
        (last == null ? "" : last.toString())
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9._-]", "-");
    if (!ARTIFACT.matcher(name).matches()) {
      throw StartupFailure.usage(
          "\"%s\" cannot be the name of an artifact: give one with --artifact".formatted(name));
    }
    return name;
  }

  private static String packageOf(String artifact) {
    String name = "com.example." + artifact.replaceAll("[^a-z0-9]", "");
    if (!SourceVersion.isName(name, SourceVersion.RELEASE_17)) {
      throw StartupFailure.usage(
          "%s is not a Java package: give one with --package, such as com.example.shop"
              .formatted(name));
    }
    return name;
  }

  private static String checkedArtifact(String given) {
    if (!ARTIFACT.matcher(given).matches()) {
      throw StartupFailure.usage(
          "--artifact \"%s\": use small letters and digits, with - _ . between them"
              .formatted(given));
    }
    return given;
  }

  private static String checkedPackage(String given) {
    if (!SourceVersion.isName(given, SourceVersion.RELEASE_17)) {
      throw StartupFailure.usage(
          "--package \"%s\" is not a Java package: give one such as com.example.shop"
              .formatted(given));
    }
    for (String taken : TOOLKIT) {
      if (given.equals(taken) || given.startsWith(taken + ".")) {
        throw StartupFailure.usage(
            "--package \"%s\": %s is taken, give one of your own such as com.example.shop"
                .formatted(given, taken));
      }
    }
    return given;
  }
}
