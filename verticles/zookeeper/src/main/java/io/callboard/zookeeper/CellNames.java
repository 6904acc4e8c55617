package io.callboard.zookeeper;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.zookeeper.Finding.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Every name in a cell, but for what Vert.x keeps. Not of one moment: whatever looks odd must be
 * looked at again.
 */
final class CellNames {
  private static final Pattern TURN = Pattern.compile("\\d{1,18}");
  private static final Set<String> BESIDE_TOP = Set.of("fmt", "vertx");

  private final Waiting cell;
  private final Layout layout;
  private final List<Orphan> unknown = new ArrayList<>();
  private final Set<ActorPath> records = new TreeSet<>();
  private final Set<ActorPath> mailboxes = new TreeSet<>();
  private final Set<ActorPath> journals = new TreeSet<>();
  private final Map<ActorPath, List<String>> blobs = new TreeMap<>();
  private final Set<Partition> partitions = new TreeSet<>();
  private final Set<Partition> owned = new TreeSet<>();
  private final Set<String> nodes = new TreeSet<>();

  CellNames(Waiting cell, Layout layout) {
    this.cell = cell;
    this.layout = layout;
  }

  static boolean isTurn(String name) {
    return TURN.matcher(name).matches();
  }

  static boolean isPartition(Layout layout, String name) {
    try {
      Partition partition = Partition.parse(name);
      return partition.number() < layout.partitions()
          && partition.toString().equals(name)
          && ActorPath.of(partition.space()).space().equals(partition.space());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Reads all of them. */
  void read() {
    var tops = known(layout.root(), name -> Layout.TOP.contains(name) || BESIDE_TOP.contains(name));
    leaves(known(layout.top("h"), NodeName::isValid));
    for (String top : List.of("i", "s")) {
      List<String> paths = known(layout.top(top), NodeName::isValid);
      paths.forEach(path -> nodes.add(Reads.name(path)));
      leaves(paths);
    }
    List<String> leases = known(layout.top("o"), name -> isPartition(layout, name));
    leases.forEach(path -> owned.add(Partition.parse(Reads.name(path))));
    leaves(leases);
    leaves(actors("a", ActorPath::fromNodeName, records));
    below(actors("m", CellNames::ofMailbox, mailboxes), CellNames::isSegment);
    below(actors("j", ActorPath::fromNodeName, journals), CellNames::isTurn);
    below(actors("x", ActorPath::fromNodeName, new TreeSet<>()), CellNames::isTurn);
    leaves(actors("d", Layout::actorOf, new TreeSet<>()));
    List<String> bodies = actors("b", Layout::actorOf, new TreeSet<>());
    bodies.forEach(
        path ->
            blobs
                .computeIfAbsent(Layout.actorOf(Reads.name(path)), a -> new ArrayList<>())
                .add(path));
    below(bodies, CellNames::isTurn);
  }

  private static ActorPath ofMailbox(String name) {
    if (!Layout.isMailbox(name)) {
      throw new IllegalArgumentException("no mailbox: " + name);
    }
    return Layout.actorOf(name);
  }

  private static boolean isSegment(String name) {
    return Layout.SegmentName.is(name);
  }

  /** The actors of every partition below one of the tops; the paths of those that are known. */
  private List<String> actors(
      String top, Function<String, ActorPath> actorOf, Set<ActorPath> actors) {
    List<String> all = new ArrayList<>();
    for (String parent : known(layout.top(top), name -> isPartition(layout, name))) {
      Partition partition = Partition.parse(Reads.name(parent));
      partitions.add(partition);
      for (String path : known(parent, name -> actor(name, actorOf, partition).isPresent())) {
        actor(Reads.name(path), actorOf, partition).ifPresent(actors::add);
        all.add(path);
      }
    }
    return all;
  }

  private Optional<ActorPath> actor(
      String name, Function<String, ActorPath> actorOf, Partition partition) {
    try {
      ActorPath actor = actorOf.apply(name);
      return Optional.of(actor)
          .filter(found -> found.partition(layout.partitions()).equals(partition));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  private List<String> known(String parent, Predicate<String> isKnown) {
    List<String> paths = new ArrayList<>();
    for (String name : cell.children(parent)) {
      if (isKnown.test(name)) {
        paths.add(parent + "/" + name);
      } else {
        unknown(parent + "/" + name, "the name means nothing here");
      }
    }
    return paths;
  }

  private void below(List<String> parents, Predicate<String> isKnown) {
    for (Map.Entry<String, List<String>> entry : cell.children(parents).entrySet()) {
      for (String name : entry.getValue()) {
        if (!isKnown.test(name)) {
          unknown(entry.getKey() + "/" + name, "the name means nothing here");
        }
      }
    }
  }

  private void leaves(List<String> paths) {
    cell.stats(paths)
        .forEach(
            (path, stat) -> {
              if (stat.getNumChildren() > 0) {
                unknown(path, "it has children, where none are expected");
              }
            });
  }

  private void unknown(String path, String what) {
    unknown.add(Orphan.reported(Kind.UNKNOWN, path, what, "none: it may be somebody else's"));
  }

  List<Orphan> unknown() {
    return unknown;
  }

  /** Those that do not look whole, and all with a journal. */
  List<ActorPath> suspectActors() {
    Set<ActorPath> all = new TreeSet<>(records);
    all.addAll(mailboxes);
    all.addAll(journals);
    return all.stream()
        .filter(
            actor ->
                journals.contains(actor) || !records.contains(actor) || !mailboxes.contains(actor))
        .toList();
  }

  /** The paths of the blobs for each actor. */
  Map<ActorPath, List<String>> blobs() {
    return blobs;
  }

  /** Those that have parents but no lease. */
  List<Partition> suspectPartitions() {
    return partitions.stream().filter(partition -> !owned.contains(partition)).toList();
  }

  /** All that ever were. */
  Set<String> nodes() {
    return nodes;
  }
}
