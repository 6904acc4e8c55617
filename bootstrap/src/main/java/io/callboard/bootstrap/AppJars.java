package io.callboard.bootstrap;

import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.part.NodePart;
import io.callboard.pollers.source.SourceKind;
import io.callboard.supervision.Causes;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jars of an application that a stock node loads. The parts of the node and the kinds of sources
 * that they have are those that they offer as services ({@link ServiceLoader}) of {@link NodePart}
 * and {@link SourceKind}.
 */
final class AppJars {
  private static final Logger log = LoggerFactory.getLogger(AppJars.class);

  /** Maximum number of doubled classes that are named. */
  private static final int MOST_NAMED = 3;

  private final String names;
  private final List<Path> jars;
  private final List<NodePart<?>> parts;
  private final List<SourceKind> kinds;
  private final ClassLoader node;

  private AppJars(String names, ClassLoader node) {
    this.names = names;
    this.node = node;
    this.jars = jars(names);
    AppClassLoader loader = new AppClassLoader(urls(jars), node);
    List<NodePart<?>> offered = new ArrayList<>();
    services(NodePart.class, loader).forEach(offered::add);
    this.parts = offered;
    this.kinds = services(SourceKind.class, loader);
    if (parts.isEmpty() && kinds.isEmpty()) {
      throw StartupFailure.usage(
          "--app %s offers nothing: name a class that implements %s in META-INF/services/%s"
              .formatted(names, NodePart.class.getSimpleName(), NodePart.class.getName()));
    }
  }

  /**
   * Opens jars; they stay open as long as the process runs.
   *
   * @param names jars, separated by colons; {@code lib/*} for all jars of a directory
   * @throws StartupFailure with one line, if one cannot be read or none offers anything
   */
  static AppJars open(String names) {
    return new AppJars(names, AppJars.class.getClassLoader());
  }

  private static List<Path> jars(String names) {
    List<Path> all = new ArrayList<>();
    for (String name : names.split(":")) {
      if (name.endsWith("/*") || name.equals("*")) {
        all.addAll(inDirectory(name, Path.of(name.substring(0, name.length() - 1))));
      } else if (Files.isRegularFile(Path.of(name))) {
        all.add(Path.of(name));
      } else {
        throw StartupFailure.usage(
            "--app %s: there is no jar \"%s\": give JAR, or DIRECTORY/* for all of a directory"
                .formatted(names, name));
      }
    }
    return all;
  }

  private static List<Path> inDirectory(String name, Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    } catch (IOException e) {
      throw StartupFailure.usage(
          "--app: the directory of %s cannot be listed: %s".formatted(name, Causes.message(e)));
    }
  }

  private static URL[] urls(List<Path> jars) {
    return jars.stream()
        .map(
            jar -> {
              try {
                return jar.toUri().toURL();
              } catch (MalformedURLException e) {
                throw new IllegalStateException(e); // of a file that exists
              }
            })
        .toArray(URL[]::new);
  }

  /** Returns the services that the jars offer, and not those of the node. */
  private <T> List<T> services(Class<T> type, AppClassLoader loader) {
    try {
      return ServiceLoader.load(type, loader).stream()
          .filter(each -> each.type().getClassLoader() == loader)
          .map(ServiceLoader.Provider::get)
          .toList();
    } catch (ServiceConfigurationError | LinkageError e) {
      throw StartupFailure.failed(
          "--app %s: a %s cannot be loaded: %s"
              .formatted(names, type.getSimpleName(), Causes.message(e)));
    }
  }

  /** Returns the parts of the node that they offer. */
  List<NodePart<?>> parts() {
    return parts;
  }

  /** Returns the kinds of sources that they offer. */
  List<SourceKind> kinds() {
    return kinds;
  }

  /** Logs what they offer, and which of their classes the node has, too. */
  void report() {
    log.info(
        "app {}: parts {}, kinds of sources {}",
        names,
        parts.stream().map(NodePart::name).toList(),
        kinds.stream().map(SourceKind::name).toList());
    List<String> doubled = new ArrayList<>();
    for (Path jar : jars) {
      try (JarFile file = new JarFile(jar.toFile())) {
        for (Enumeration<JarEntry> all = file.entries(); all.hasMoreElements(); ) {
          String entry = all.nextElement().getName();
          if (entry.endsWith(".class")
              && !entry.startsWith("META-INF/")
              && !entry.equals("module-info.class")
              && node.getResource(entry) != null) {
            doubled.add(entry.substring(0, entry.length() - ".class".length()).replace('/', '.'));
          }
        }
      } catch (IOException e) {
        throw StartupFailure.failed("--app: %s: %s".formatted(jar, Causes.message(e)));
      }
    }
    if (!doubled.isEmpty()) {
      log.warn(
          "{} classes are both in the node and in app {}, such as {}: of {} the node's are used, of all others the app has its own",
          doubled.size(),
          names,
          doubled.stream().limit(MOST_NAMED).toList(),
          AppClassLoader.SHARED);
    }
  }
}
