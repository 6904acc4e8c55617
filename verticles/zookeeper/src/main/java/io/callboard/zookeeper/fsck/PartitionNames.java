package io.callboard.zookeeper.fsck;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.zookeeper.internal.client.BlockingReads;
import io.callboard.zookeeper.internal.client.BulkReads;
import io.callboard.zookeeper.internal.layout.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * All names of the actors of one partition, so that no more than these are in memory at a time. Not
 * of one moment: a suspicious name must be read again.
 */
final class PartitionNames {
  /** Tops of {@link Layout#TOP} that hold partitions with znodes of actors. */
  static final List<String> TOPS = List.of("a", "m", "j", "x", "d", "b", "f");

  private final Layout layout;
  private final Partition partition;
  private final KnownNames names;
  private final Set<ActorPath> records = new TreeSet<>();
  private final Set<ActorPath> mailboxes = new TreeSet<>();
  private final Set<ActorPath> journals = new TreeSet<>();
  private final Set<ActorPath> failures = new TreeSet<>();
  private final Map<ActorPath, List<String>> blobs = new TreeMap<>();
  private final Map<String, List<String>> read = new TreeMap<>();

  PartitionNames(BlockingReads cell, Layout layout, Partition partition) {
    this.layout = layout;
    this.partition = partition;
    this.names = new KnownNames(cell);
  }

  /** Reads all names. */
  void read() {
    read.put("a", names.leaves(actors("a", ActorPath::fromNodeName, records)));
    read.put("m", actors("m", Layout::actorOfMailbox, mailboxes));
    var segments = names.below(below("m"), Layout.SegmentName::is);
    List<String> entries =
        names.below(actors("j", ActorPath::fromNodeName, journals), Layout::isEntry);
    read.put("j", entries.stream().filter(this::isOfRecord).toList());
    List<String> outboxes = actors("x", ActorPath::fromNodeName, new TreeSet<>());
    read.put("x", names.below(outboxes, Layout::isNumber));
    read.put("d", names.leaves(actors("d", Layout::actorOfParked, new TreeSet<>())));
    List<String> bodies = actors("b", Layout::actorOf, new TreeSet<>());
    bodies.forEach(
        path ->
            blobs
                .computeIfAbsent(Layout.actorOf(BulkReads.name(path)), a -> new ArrayList<>())
                .add(path));
    var parts = names.below(bodies, Layout::isNumber);
    read.put("f", names.leaves(actors("f", ActorPath::fromNodeName, failures)));
  }

  /** Returns the paths of the known znodes below the partition in a top. */
  private List<String> actors(
      String top, Function<String, ActorPath> actorOf, Set<ActorPath> actors) {
    String parent = layout.top(top) + "/" + partition;
    List<String> paths =
        names.known(parent, name -> layout.actor(partition, name, actorOf).isPresent());
    paths.forEach(
        path -> layout.actor(partition, BulkReads.name(path), actorOf).ifPresent(actors::add));
    return paths;
  }

  /** Returns whether the actor of a journal entry has a record. */
  private boolean isOfRecord(String entry) {
    String journal = entry.substring(0, entry.lastIndexOf('/'));
    return records.contains(ActorPath.fromNodeName(BulkReads.name(journal)));
  }

  List<Anomaly> unknown() {
    return names.unknown();
  }

  /**
   * Returns the paths of what is known below one of {@link #TOPS}: of journals (of actors that are
   * there) and outboxes, those of the entries.
   */
  List<String> below(String top) {
    return read.getOrDefault(top, List.of());
  }

  /** Returns the actors that lack a record or a mailbox, and all that have a journal. */
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

  /** Returns the paths of the blobs for each actor. */
  Map<ActorPath, List<String>> blobs() {
    return blobs;
  }

  /** Returns the actors that have a stored failure history. */
  Set<ActorPath> failuresKept() {
    return failures;
  }
}
