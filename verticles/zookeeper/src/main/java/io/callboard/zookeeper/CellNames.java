package io.callboard.zookeeper;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.zookeeper.Finding.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
  private static final Set<String> BESIDE_TOP = Set.of("fmt", "vertx");

  private final Waiting cell;
  private final Layout layout;
  private final List<Orphan> unknown = new ArrayList<>();
  private final Set<ActorPath> records = new TreeSet<>();
  private final Set<ActorPath> mailboxes = new TreeSet<>();
  private final Set<ActorPath> journals = new TreeSet<>();
  private final Set<ActorPath> failures = new TreeSet<>();
  private final Map<ActorPath, List<String>> blobs = new TreeMap<>();
  private final Map<String, List<String>> read = new TreeMap<>();
  private final Set<Partition> partitions = new TreeSet<>();
  private final Set<Partition> owned = new TreeSet<>();
  private final Set<String> nodes = new TreeSet<>();

  CellNames(Waiting cell, Layout layout) {
    this.cell = cell;
    this.layout = layout;
  }

  static boolean isNumber(String name) {
    return NUMBER.matcher(name).matches();
  }

  /** Reads all of them. */
  void read() {
    var tops = known(layout.root(), name -> Layout.TOP.contains(name) || BESIDE_TOP.contains(name));
    for (String top : List.of("h", "i", "s")) {
      List<String> paths = known(layout.top(top), NodeName::isValid);
      leaves(top, paths);
      if (!top.equals("h")) {
        paths.forEach(path -> nodes.add(Reads.name(path)));
      }
    }
    List<String> leases = known(layout.top("o"), layout::isPartition);
    leases.forEach(path -> owned.add(Partition.parse(Reads.name(path))));
    leaves("o", leases);
    leaves("a", actors("a", ActorPath::fromNodeName, records));
    read.put("m", actors("m", Layout::actorOfMailbox, mailboxes));
    var segments = below(read.getOrDefault("m", List.of()), CellNames::isSegment);
    List<String> entries = below(actors("j", ActorPath::fromNodeName, journals), Layout::isEntry);
    read.put("j", entries.stream().filter(this::isOfRecord).toList());
    List<String> outboxes = actors("x", ActorPath::fromNodeName, new TreeSet<>());
    read.put("x", below(outboxes, CellNames::isNumber));
    leaves("d", actors("d", Layout::actorOfParked, new TreeSet<>()));
    List<String> bodies = actors("b", Layout::actorOf, new TreeSet<>());
    bodies.forEach(
        path ->
            blobs
                .computeIfAbsent(Layout.actorOf(Reads.name(path)), a -> new ArrayList<>())
                .add(path));
    var parts = below(bodies, CellNames::isNumber);
    leaves("f", actors("f", ActorPath::fromNodeName, failures));
  }

  /** Whether the actor of a journal entry is there. */
  private boolean isOfRecord(String entry) {
    String journal = entry.substring(0, entry.lastIndexOf('/'));
    return records.contains(ActorPath.fromNodeName(Reads.name(journal)));
  }

  private static boolean isSegment(String name) {
    return Layout.SegmentName.is(name);
  }

  /** The actors of every partition below one of the tops; the paths of those that are known. */
  private List<String> actors(
      String top, Function<String, ActorPath> actorOf, Set<ActorPath> actors) {
    List<String> all = new ArrayList<>();
    for (String parent : known(layout.top(top), layout::isPartition)) {
      Partition partition = Partition.parse(Reads.name(parent));
      partitions.add(partition);
      for (String path : known(parent, n -> layout.actor(partition, n, actorOf).isPresent())) {
        layout.actor(partition, Reads.name(path), actorOf).ifPresent(actors::add);
        all.add(path);
      }
    }
    return all;
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

  /** The paths of the known ones below each of {@code parents}. */
  private List<String> below(List<String> parents, Predicate<String> isKnown) {
    List<String> paths = new ArrayList<>();
    for (Map.Entry<String, List<String>> entry : cell.children(parents).entrySet()) {
      for (String name : entry.getValue()) {
        String path = entry.getKey() + "/" + name;
        if (isKnown.test(name)) {
          paths.add(path);
        } else {
          unknown(path, "the name means nothing here");
        }
      }
    }
    return paths;
  }

  private void leaves(String top, List<String> paths) {
    read.put(top, paths);
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

  /**
   * The paths of what is known below one of {@link Layout#TOP}: of journals (of actors that are
   * there) and outboxes, those of the entries.
   */
  List<String> below(String top) {
    return read.getOrDefault(top, List.of());
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

  /** Those of which it is stored how they failed. */
  Set<ActorPath> failuresKept() {
    return failures;
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
