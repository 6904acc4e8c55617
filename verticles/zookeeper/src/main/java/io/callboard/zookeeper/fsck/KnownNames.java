package io.callboard.zookeeper.fsck;

import io.callboard.zookeeper.fsck.FsckFinding.Kind;
import io.callboard.zookeeper.internal.client.BlockingReads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Lister of names in a cell; collects those that are not Callboard's. */
final class KnownNames {
  private final BlockingReads cell;
  private final List<Anomaly> unknown = new ArrayList<>();

  KnownNames(BlockingReads cell) {
    this.cell = cell;
  }

  /** Returns the paths of the known znodes below {@code parent}; none if it does not exist. */
  List<String> known(String parent, Predicate<String> isKnown) {
    return known(parent, cell.children(parent), isKnown);
  }

  private List<String> known(String parent, List<String> names, Predicate<String> isKnown) {
    List<String> paths = new ArrayList<>();
    for (String name : names) {
      if (isKnown.test(name)) {
        paths.add(parent + "/" + name);
      } else {
        note(parent + "/" + name, "no znode of Callboard has such a name");
      }
    }
    return paths;
  }

  /** Returns the paths of the known znodes below each of {@code parents}. */
  List<String> below(List<String> parents, Predicate<String> isKnown) {
    List<String> paths = new ArrayList<>();
    for (Map.Entry<String, List<String>> entry : cell.children(parents).entrySet()) {
      paths.addAll(known(entry.getKey(), entry.getValue(), isKnown));
    }
    return paths;
  }

  /** Notes the znodes of {@code paths} that have children: none are expected. */
  List<String> leaves(List<String> paths) {
    cell.stats(paths)
        .forEach(
            (path, stat) -> {
              if (stat.getNumChildren() > 0) {
                note(path, "it has children, but none are expected");
              }
            });
    return paths;
  }

  private void note(String path, String what) {
    unknown.add(
        Anomaly.reported(Kind.UNKNOWN, path, what, "none: another program may have made it"));
  }

  /** Znodes that are not Callboard's. */
  List<Anomaly> unknown() {
    return unknown;
  }
}
