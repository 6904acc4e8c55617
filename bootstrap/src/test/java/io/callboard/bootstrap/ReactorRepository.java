package io.callboard.bootstrap;

import io.callboard.cell.NodeVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Local repository of Maven below {@code target}: Callboard as this build made it, and links to all
 * else that the user's repository holds. A build with it needs no network.
 */
final class ReactorRepository {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private ReactorRepository() {}

  /** Makes it anew. */
  static Path make() throws IOException {
    Path repository = LaunchedNode.directory("repository");
    Path users = Path.of(System.getProperty("maven.repository"));
    link(users, repository, "io");
    Path io = Files.createDirectory(repository.resolve("io"));
    link(users.resolve("io"), io, "callboard");
    try (Stream<Path> modules = Files.list(ROOT.resolve("verticles"))) {
      for (Path module : modules.filter(m -> Files.exists(m.resolve("pom.xml"))).toList()) {
        install(module, "callboard-" + module.getFileName(), io);
      }
    }
    install(ROOT.resolve("codecs"), "callboard-codecs", io);
    install(ROOT, "callboard-parent", io);
    return repository;
  }

  /** Links all but one of the entries. */
  private static void link(Path from, Path to, String except) throws IOException {
    try (Stream<Path> entries = Files.list(from)) {
      for (Path entry : entries.toList()) {
        if (!entry.getFileName().toString().equals(except)) {
          Files.createSymbolicLink(to.resolve(entry.getFileName()), entry.toAbsolutePath());
        }
      }
    }
  }

  private static void install(Path module, String artifact, Path io) throws IOException {
    String version = NodeVersion.version();
    String name = artifact + "-" + version;
    Path target =
        Files.createDirectories(io.resolve("callboard").resolve(artifact).resolve(version));
    Files.copy(module.resolve("pom.xml"), target.resolve(name + ".pom"));
    Path jar = module.resolve("target").resolve(name + ".jar");
    if (Files.exists(jar)) {
      Files.copy(jar, target.resolve(name + ".jar"));
    }
  }
}
