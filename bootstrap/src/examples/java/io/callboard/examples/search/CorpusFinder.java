package io.callboard.examples.search;

import io.callboard.examples.search.Corpus.Entry;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds text on this machine: a directory that is given; else the sources of a JDK ({@code
 * src.zip}: of the one that runs this, else of one beside it); else what is there wherever Maven
 * builds: the POMs and the texts inside the jars of the local repository, the JDK's licenses, and
 * the manuals of the system. Blocks.
 */
final class CorpusFinder {
  private static final Logger log = LoggerFactory.getLogger(CorpusFinder.class);

  /** Files that are no text, by their ending; others are looked at when they are read. */
  private static final Set<String> BINARY =
      Set.of(
          "class jar zip gz bz2 xz zst so dll dylib jnilib exe bin dat a o png gif jpg jpeg ico pdf"
              .concat(" ttf woff woff2 kotlin_metadata kotlin_module kotlin_builtins sha1 md5 asc")
              .concat(" lastupdated repositories lock index pack idx mo jks p12 keystore")
              .split(" "));

  private final List<Entry> entries = new ArrayList<>();
  private final int most;
  private long left;

  private CorpusFinder(int most) {
    this.most = most;
  }

  /**
   * Finds the documents.
   *
   * @param documents directory; null for the text of this machine
   * @param most maximum number of documents; the others are counted
   */
  static Corpus find(@Nullable Path documents, int most) throws IOException {
    CorpusFinder finder = new CorpusFinder(most);
    if (documents != null) {
      if (!Files.isDirectory(documents)) {
        throw new NotDirectoryException(documents.toString());
      }
      finder.folder(documents, documents, "", "");
      return finder.corpus("the text files below " + documents.toAbsolutePath().normalize());
    }
    Path home = Path.of(System.getProperty("java.home"));
    Optional<Path> sources = sources(home);
    if (sources.isPresent()) {
      finder.archive(sources.get(), "", ".java");
      return finder.corpus("the JDK's sources, " + sources.get());
    }
    return finder.aroundMaven(home);
  }

  private static Optional<Path> sources(Path home) throws IOException {
    Path own = home.resolve("lib/src.zip");
    if (Files.isReadable(own)) {
      return Optional.of(own);
    }
    Path parent = home.getParent();
    if (parent == null) {
      return Optional.empty();
    }
    try (Stream<Path> neighbours = Files.list(parent)) {
      return neighbours
          .map(jdk -> jdk.resolve("lib/src.zip"))
          .filter(Files::isReadable)
          .max(Comparator.naturalOrder());
    }
  }

  private Corpus aroundMaven(Path home) throws IOException {
    String given = System.getProperty("maven.repo.local");
    Path repository =
        given != null
            ? Path.of(given)
            : Path.of(System.getProperty("user.home"), ".m2", "repository");
    folder(repository, repository, "maven/", "");
    folder(home.resolve("legal"), home, "jdk/", "");
    folder(Path.of("/usr/share/doc"), Path.of("/usr/share"), "", "");
    folder(Path.of("/usr/share/man"), Path.of("/usr/share"), "", ".gz");
    return corpus(
        "the texts in %s and its jars, the JDK's licenses, the system's manuals"
            .formatted(repository));
  }

  private Corpus corpus(String what) {
    return new Corpus(what, List.copyOf(entries), left);
  }

  /** Takes the texts below a directory, and those in its jars; nothing if it is not there. */
  private void folder(Path directory, Path root, String prefix, String evenIf) throws IOException {
    if (!Files.isDirectory(directory)) {
      return;
    }
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            String id = prefix + root.relativize(file).toString().replace('\\', '/');
            if (attributes.isRegularFile()) {
              file(file, id, attributes.size(), evenIf);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException cause) {
            log.info("{} is left out: {}", file, cause.toString());
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private void file(Path file, String id, long bytes, String evenIf) throws IOException {
    if (id.endsWith(".jar")) {
      archive(file, id + "!/", "");
    } else if (isText(id) || (!evenIf.isEmpty() && id.endsWith(evenIf))) {
      add(new Entry(id, file, null, bytes));
    }
  }

  private void archive(Path file, String prefix, String ending) throws IOException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      for (Enumeration<? extends ZipEntry> all = zip.entries(); all.hasMoreElements(); ) {
        ZipEntry entry = all.nextElement();
        String name = entry.getName();
        if (!entry.isDirectory() && name.endsWith(ending) && isText(name)) {
          add(new Entry(prefix + name, file, name, entry.getSize()));
        }
      }
    } catch (ZipException e) {
      log.info("{} is left out: {}", file, e.toString());
    }
  }

  private static boolean isText(String name) {
    String file = name.substring(name.lastIndexOf('/') + 1);
    int dot = file.lastIndexOf('.');
    return !BINARY.contains(file.substring(dot + 1).toLowerCase(Locale.ROOT));
  }

  private void add(Entry entry) {
    if (entry.bytes() == 0) {
      return;
    }
    if (entries.size() < most) {
      entries.add(entry);
    } else {
      left++;
    }
  }
}
