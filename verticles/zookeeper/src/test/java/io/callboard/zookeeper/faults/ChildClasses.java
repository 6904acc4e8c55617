package io.callboard.zookeeper.faults;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The class path of child JVMs, and an archive of the classes that a node and a server load from
 * it: with it they start in half of the time. As the JVM archives classes of jars only, directories
 * are put into jars.
 */
final class ChildClasses {
  private static final Path HOME = Path.of("target", "children").toAbsolutePath();
  private static final Path ARCHIVE = HOME.resolve("classes.jsa");
  private static final int LIMIT_S = 300;
  private static final String PATH;

  static {
    try {
      PATH = prepare();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("the classes of child JVMs cannot be archived", e);
    }
  }

  private ChildClasses() {}

  /** Returns how Java is called for a child, up to and including its class path. */
  static List<String> java() {
    return java("-XX:SharedArchiveFile=" + ARCHIVE, PATH);
  }

  private static List<String> java(String archive, String path) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> flags =
        List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", archive, "-Xlog:cds*=off");
    return Stream.of(List.of(java), flags, List.of("-cp", path)).flatMap(List::stream).toList();
  }

  /** Makes it, unless another test JVM has done so since the classes were compiled. */
  private static String prepare() throws IOException, InterruptedException {
    Files.createDirectories(HOME);
    List<String> path = new ArrayList<>();
    try (FileChannel channel =
        FileChannel.open(
            HOME.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      var unused = channel.lock();
      FileTime newest = FileTime.fromMillis(0);
      List<Path> directories = new ArrayList<>();
      for (String entry : System.getProperty("java.class.path").split(java.io.File.pathSeparator)) {
        Path file = Path.of(entry);
        if (Files.isDirectory(file)) {
          path.add(HOME.resolve(directories.size() + ".jar").toString());
          directories.add(file);
        } else if (Files.exists(file)) {
          path.add(entry);
        }
        newest = max(newest, newest(file));
      }
      String all = String.join(java.io.File.pathSeparator, path);
      if (!Files.exists(ARCHIVE) || Files.getLastModifiedTime(ARCHIVE).compareTo(newest) < 0) {
        for (int i = 0; i < directories.size(); i++) {
          pack(directories.get(i), HOME.resolve(i + ".jar"));
        }
        train(all);
      }
      return all;
    }
  }

  private static FileTime max(FileTime one, FileTime other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static FileTime newest(Path file) throws IOException {
    FileTime newest = FileTime.fromMillis(0);
    for (Path each : files(file)) {
      newest = max(newest, Files.getLastModifiedTime(each));
    }
    return newest;
  }

  private static List<Path> files(Path below) throws IOException {
    if (!Files.exists(below)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(below)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  private static void pack(Path directory, Path jar) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.setLevel(0);
      for (Path file : files(directory)) {
        zip.putNextEntry(new ZipEntry(directory.relativize(file).toString().replace('\\', '/')));
        zip.write(Files.readAllBytes(file));
      }
    }
  }

  private static void train(String path) throws IOException, InterruptedException {
    Path made = HOME.resolve("new.jsa");
    List<String> command = new ArrayList<>(java("-XX:ArchiveClassesAtExit=" + made, path));
    command.add(TrainingMain.class.getName());
    Path log = HOME.resolve("training.log");
    Process training =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      if (!training.waitFor(LIMIT_S, TimeUnit.SECONDS) || training.exitValue() != 0) {
        throw new IOException("the training failed: " + Files.readString(log));
      }
    } finally {
      training.destroyForcibly();
    }
    Files.move(made, ARCHIVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
