package io.callboard.bootstrap;

import io.callboard.bootstrap.config.StartupFailure;
import io.callboard.cell.NodeVersion;
import io.callboard.dashboard.Setting;
import io.callboard.part.NodePart;
import io.callboard.pollers.SourcesOptions;
import io.callboard.pollers.source.SourceKind;
import io.callboard.supervision.Causes;
import io.callboard.workflows.merge.NamedMerger;
import io.callboard.workflows.model.WorkflowsOptions;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jars of an application that a stock node loads. The parts of the node, kinds of sources and
 * mergers that they have are those that they offer as services ({@link ServiceLoader}) of {@link
 * NodePart}, {@link SourceKind} and {@link NamedMerger}.
 */
final class AppJars {
  private static final Logger log = LoggerFactory.getLogger(AppJars.class);

  /** Attribute of a jar's manifest with the version of Callboard that it was built for. */
  private static final String BUILT_FOR = "Callboard-Version";

  /** Maximum number of doubled classes that are named. */
  private static final int MOST_NAMED = 3;

  private final String names;
  private final ClassLoader node;

  /** Classes in more than one of the jars, of which the first jar's are used. */
  private final Set<String> repeated = new TreeSet<>();

  private final Set<String> classes = new HashSet<>();

  /** Other versions of Callboard than that of the node, for which jars were built. */
  private final Set<String> builtFor = new TreeSet<>();

  private final List<NodePart<?>> parts = new ArrayList<>();
  private final List<SourceKind> kinds;
  private final List<NamedMerger> mergers;

  private AppJars(String names, ClassLoader node) {
    this.names = names;
    this.node = node;
    Collection<Path> jars = jars(names);
    jars.forEach(this::read);
    AppClassLoader loader = new AppClassLoader(urls(jars), node);
    services(NodePart.class, loader).forEach(parts::add);
    kinds = services(SourceKind.class, loader);
    mergers = services(NamedMerger.class, loader);
    checkNames();
    if (parts.isEmpty() && kinds.isEmpty() && mergers.isEmpty()) {
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

  /** Returns the jars in the order given, each once. */
  private static Collection<Path> jars(String names) {
    Set<Path> all = new LinkedHashSet<>();
    for (String name : names.split(":")) {
      if (name.endsWith("/*") || name.equals("*")) {
        all.addAll(inDirectory(names, Path.of(name.substring(0, name.length() - 1))));
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

  private static List<Path> inDirectory(String names, Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
      if (jars.isEmpty()) {
        throw StartupFailure.usage("--app %s: there is no jar in %s".formatted(names, directory));
      }
      return jars;
    } catch (IOException e) {
      throw StartupFailure.usage(
          "--app %s: the directory %s cannot be listed: %s"
              .formatted(names, directory, Causes.message(e)));
    }
  }

  /** Reads which classes a jar has, and which version of Callboard it was built for. */
  private void read(Path jar) {
    try (JarFile file = new JarFile(jar.toFile())) {
      file.stream()
          .map(ZipEntry::getName)
          .filter(entry -> entry.endsWith(".class") && !entry.startsWith("META-INF/"))
          .filter(entry -> !entry.equals("module-info.class"))
          .filter(entry -> !classes.add(entry))
          .forEach(repeated::add);
      Optional.ofNullable(file.getManifest())
          .map(Manifest::getMainAttributes)
          .map(attributes -> attributes.getValue(BUILT_FOR))
          .filter(version -> !version.equals(NodeVersion.version()))
          .ifPresent(builtFor::add);
    } catch (IOException e) {
      throw StartupFailure.usage(
          "--app %s: %s is not a jar: %s".formatted(names, jar, Causes.message(e)));
    }
  }

  private static URL[] urls(Collection<Path> jars) {
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
    return loaded(
        "a " + type.getSimpleName(),
        () ->
            ServiceLoader.load(type, loader).stream()
                .filter(each -> each.type().getClassLoader() == loader)
                .map(ServiceLoader.Provider::get)
                .toList());
  }

  /**
   * Returns what the code of the jars makes.
   *
   * @throws StartupFailure if it needs what it does not have, or fails
   */
  private <T> T loaded(String what, Supplier<T> made) {
    try {
      return made.get();
    } catch (ServiceConfigurationError e) {
      Throwable cause = e.getCause();
      throw StartupFailure.failed(
          "--app %s: META-INF/services/%s: %s%s"
              .formatted(
                  names,
                  e.getMessage(),
                  cause == null
                      ? "name a class of the jars that implements it"
                      : Causes.text(cause),
                  remedy(e)));
    } catch (LinkageError | RuntimeException e) {
      throw StartupFailure.failed(
          "--app %s: %s cannot be loaded: %s%s".formatted(names, what, Causes.text(e), remedy(e)));
    }
  }

  /**
   * Returns what to do about a failure that is of a class or method that is missing; empty if it is
   * of another kind.
   */
  String remedy(Throwable failure) {
    boolean isMissing = false;
    Throwable each = failure;
    for (int depth = 0; each != null && depth < 100; depth++) { // its causes may be a circle
      isMissing |= each instanceof LinkageError || each instanceof ClassNotFoundException;
      each = each.getCause();
    }
    if (!isMissing) {
      return "";
    }
    return builtFor.isEmpty()
        ? "; build the jar for Callboard %s, and add the jars that it needs"
            .formatted(NodeVersion.version())
        : "; it was built for Callboard %s: build it for %s"
            .formatted(String.join(", ", builtFor), NodeVersion.version());
  }

  private void checkNames() {
    try {
      var unused = new SourcesOptions(List.of(), kinds);
      var alsoUnused = WorkflowsOptions.DEFAULT.mergers(mergers);
    } catch (IllegalArgumentException e) {
      throw StartupFailure.usage("--app %s: %s".formatted(names, e.getMessage()));
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

  /** Returns the mergers that they offer. */
  List<NamedMerger> mergers() {
    return mergers;
  }

  /** Returns the settings of the parts. */
  List<Setting> settings() {
    return parts.stream()
        .flatMap(
            part ->
                loaded("the settings of " + part.getClass().getName(), part::settings)
                    .entrySet()
                    .stream()
                    .map(
                        each ->
                            new Setting(
                                part.name() + "." + each.getKey(), each.getValue(), "the app")))
        .toList();
  }

  /**
   * Logs what they offer, which of their classes the node has, too, or several of them, and if they
   * were built for another version of Callboard.
   */
  void report() {
    log.info(
        "app {}: parts {}, kinds of sources {}, mergers {}",
        names,
        parts.stream().map(NodePart::name).toList(),
        kinds.stream().map(SourceKind::name).toList(),
        mergers.stream().map(NamedMerger::name).toList());
    Set<String> doubled =
        classes.stream()
            .filter(entry -> node.getResource(entry) != null)
            .collect(Collectors.toCollection(TreeSet::new));
    if (!doubled.isEmpty()) {
      log.warn(
          "{} classes are both in the node and in app {}, such as {}: of {} the node's are used, of all others the app has its own",
          doubled.size(),
          names,
          named(doubled),
          AppClassLoader.SHARED);
    }
    if (!repeated.isEmpty()) {
      log.warn(
          "{} classes are in several jars of app {}, such as {}: the first jar's are used",
          repeated.size(),
          names,
          named(repeated));
    }
    if (!builtFor.isEmpty()) {
      log.warn(
          "app {} was built for Callboard {}, this node is {}: build it for that",
          names,
          String.join(", ", builtFor),
          NodeVersion.version());
    }
  }

  private static List<String> named(Set<String> entries) {
    return entries.stream()
        .limit(MOST_NAMED)
        .map(entry -> entry.substring(0, entry.length() - ".class".length()).replace('/', '.'))
        .toList();
  }
}
