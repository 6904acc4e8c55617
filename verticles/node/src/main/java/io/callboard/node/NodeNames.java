package io.callboard.node;

import io.callboard.cell.LocalMachine;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Name of a node that was given none: of its host, and of its directory if it has one. */
final class NodeNames {
  private static final int LONGEST = 63;
  private static final int LONGEST_HOST = 40;

  private NodeNames() {}

  /** The name of a node with that directory on this host: the same for each restart. */
  static String derived(@Nullable Path directory) {
    return derived(LocalMachine.name(), directory);
  }

  static String derived(String host, @Nullable Path directory) {
    String first = cut(clean(host), LONGEST_HOST);
    Path last = directory == null ? null : directory.toAbsolutePath().normalize().getFileName();
    return last == null ? first : cut(first + "-" + clean(last.toString()), LONGEST);
  }

  /** A name begins with a letter or digit. */
  private static String clean(String text) {
    String clean = text.replaceAll("[^A-Za-z0-9._-]", "-").replaceFirst("^[._-]+", "");
    return clean.isEmpty() ? "node" : clean;
  }

  private static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most);
  }
}
