package io.callboard.bootstrap;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;

/**
 * Class loader of an application's jars: the classes that the application shares with the node, as
 * messages and futures, are the node's; all others are its own, even if the node has some of that
 * name, and the node's if it has none.
 */
final class AppClassLoader extends URLClassLoader {
  static {
    registerAsParallelCapable();
  }

  /** Beginnings of the names of the classes that are the node's. */
  static final List<String> SHARED =
      List.of(
          "io.callboard.",
          "io.vertx.",
          "io.netty.",
          "com.fasterxml.jackson.",
          "org.slf4j.",
          "ch.qos.logback.",
          "org.jspecify.");

  AppClassLoader(URL[] jars, ClassLoader node) {
    super("app", jars, node);
  }

  static boolean isShared(String name) {
    return SHARED.stream().anyMatch(name::startsWith);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> found = findLoadedClass(name);
      if (found == null && !isShared(name) && findResource(path(name)) != null) {
        found = findClass(name);
      }
      if (found == null) {
        return super.loadClass(name, resolve);
      }
      if (resolve) {
        resolveClass(found);
      }
      return found;
    }
  }

  private static String path(String name) {
    return name.replace('.', '/') + ".class";
  }

  @Override
  public URL getResource(String name) {
    URL own = findResource(name);
    return own == null ? super.getResource(name) : own;
  }
}
