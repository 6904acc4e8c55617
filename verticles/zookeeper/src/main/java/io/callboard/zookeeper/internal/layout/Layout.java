package io.callboard.zookeeper.internal.layout;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.Partition;
import io.callboard.store.Generation;
import io.callboard.store.JournalKey;
import io.callboard.store.ParkedKey;
import io.callboard.store.StoreException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Paths of the znodes of a cell, made and parsed. Pure. */
public record Layout(String root, int partitions) {
  private static final Pattern DIGITS = Pattern.compile("\\d{1,18}");
  private static final Pattern MAILBOX = Pattern.compile("[^~]+~(\\d{1,9})");

  private static final Pattern ENTRY =
      Pattern.compile("(\\d{1,18})(?:\\.(\\d{1,9})\\.(\\d{1,9}))?");

  /** Names of the top znodes of a cell besides {@code fmt}. */
  public static final List<String> TOP =
      List.of("h", "i", "s", "o", "a", "m", "j", "d", "x", "b", "f", "t", "e");

  /** Tops of {@link #TOP} that were added after the first version of the format. */
  static final List<String> LATER = List.of("x", "b", "f", "t", "e");

  /** Returns whether a znode of that name below {@code /o} or a top is a partition of this cell. */
  public boolean isPartition(String name) {
    try {
      Partition partition = Partition.parse(name);
      return (partition.isRole() || partition.number() < partitions)
          && partition.toString().equals(name)
          && ActorPath.of(partition.space()).space().equals(partition.space());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Returns the actor of a znode below a partition's parent; empty if the name is not Callboard's.
   *
   * @param actorOf reads a name of that kind, and may fail
   */
  public Optional<ActorPath> actor(
      Partition partition, String name, Function<String, ActorPath> actorOf) {
    try {
      return Optional.of(actorOf.apply(name))
          .filter(found -> found.partition(partitions).equals(partition));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  /** Returns the path of the znode with the format of the cell. */
  public String format() {
    return root + "/fmt";
  }

  /** Returns the path of a top znode. */
  public String top(String name) {
    return root + "/" + name;
  }

  /** Returns the path of a live node's ephemeral znode. */
  public String member(String node) {
    return root + "/h/" + node;
  }

  /** Returns the path of a node's incarnation. */
  public String incarnation(String node) {
    return root + "/i/" + node;
  }

  /** Returns the path of a node's number of commits. */
  public String commits(String node) {
    return root + "/s/" + node;
  }

  /** Returns the path of a partition's lease. */
  public String lease(Partition partition) {
    return root + "/o/" + partition;
  }

  /** Returns the path of the history of the holders of a role. */
  public String failovers(Partition role) {
    return root + "/t/" + role;
  }

  /** Returns the path of the document of a role. */
  public String document(Partition role) {
    return root + "/e/" + role;
  }

  /** Returns the parents that a partition needs before anything of it can be stored. */
  public List<String> parents(Partition partition) {
    return List.of(
        records(partition),
        mailboxes(partition),
        root + "/j/" + partition,
        parkedOf(partition),
        outboxes(partition),
        blobsOf(partition));
  }

  /** Returns the path below which a partition's actor records are. */
  public String records(Partition partition) {
    return root + "/a/" + partition;
  }

  /** Returns the path below which a partition's mailboxes are. */
  public String mailboxes(Partition partition) {
    return root + "/m/" + partition;
  }

  /** Returns the path below which a partition's parked messages are. */
  public String parkedOf(Partition partition) {
    return root + "/d/" + partition;
  }

  /** Returns the path below which a partition's large message bodies are. */
  public String blobsOf(Partition partition) {
    return top("b") + "/" + partition;
  }

  /** Returns the path of a blob, named so that people see whose it is. */
  public String blob(ActorPath receiver, String id) {
    return blobsOf(receiver.partition(partitions)) + "/" + receiver.toNodeName() + "~" + id;
  }

  /** Returns whether the name is that of a blob that {@code owner} keeps. */
  public static boolean isKeptBlob(String node, ActorPath owner) {
    return node.endsWith(BlobRef.KEPT) && node.startsWith(owner.toNodeName() + "~");
  }

  /** Returns the id of a blob's znode name. */
  public static String blobId(String node) {
    return node.substring(node.indexOf('~') + 1);
  }

  /** Returns the path of an actor's record. */
  public String record(ActorPath actor) {
    return records(actor.partition(partitions)) + "/" + actor.toNodeName();
  }

  /** Returns the path of one generation of an actor's mailbox. */
  public String mailbox(ActorPath actor, long generation) {
    return mailboxes(actor.partition(partitions)) + "/" + actor.toNodeName() + "~" + generation;
  }

  /** Returns the generation in a mailbox's znode name or path. */
  public static long generation(String node) {
    return Long.parseLong(node.substring(node.lastIndexOf('~') + 1));
  }

  /** Returns the path of an actor's journal. */
  public String journal(ActorPath actor) {
    return root + "/j/" + actor.partition(partitions) + "/" + actor.toNodeName();
  }

  /** Returns the name of a journal entry below {@link #journal}. */
  public static String entry(JournalKey key) {
    return key.bytes() == 0
        ? Long.toString(key.turn()) // as older nodes named it
        : key.turn() + "." + key.events() + "." + key.bytes();
  }

  /** Returns whether a znode below a journal is an entry of it, by its name. */
  public static boolean isEntry(String node) {
    return ENTRY.matcher(node).matches();
  }

  /**
   * Returns the inverse of {@link #entry}.
   *
   * @throws IllegalArgumentException if it is not the name of an entry
   */
  public static JournalKey entryKey(String node) {
    Matcher matcher = ENTRY.matcher(node);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("no journal entry: " + node);
    }
    return matcher.group(2) == null
        ? new JournalKey(Long.parseLong(matcher.group(1)), 0, 0)
        : new JournalKey(
            Long.parseLong(matcher.group(1)),
            Integer.parseInt(matcher.group(2)),
            Integer.parseInt(matcher.group(3)));
  }

  /** Returns the path below which a partition's outboxes are. */
  public String outboxes(Partition partition) {
    return root + "/x/" + partition;
  }

  /** Returns the path of an actor's outbox. */
  public String outbox(ActorPath actor) {
    return outboxes(actor.partition(partitions)) + "/" + actor.toNodeName();
  }

  /** Returns the parent of the failure histories of a partition, created with the first of them. */
  public String failuresOf(Partition partition) {
    return root + "/f/" + partition;
  }

  /** Returns the path of the failure history of an actor. */
  public String failures(ActorPath actor) {
    return failuresOf(actor.partition(partitions)) + "/" + actor.toNodeName();
  }

  /** Returns the path of a parked message. */
  public String parked(ActorPath actor, String id) {
    return parkedOf(actor.partition(partitions))
        + "/"
        + actor.toNodeName()
        + "~"
        + URLEncoder.encode(id, StandardCharsets.UTF_8);
  }

  /** Returns the actor of a mailbox's znode name, of a parked message's, or of a blob's. */
  public static ActorPath actorOf(String node) {
    return ActorPath.fromNodeName(node.substring(0, node.indexOf('~')));
  }

  /** Returns the inverse of {@link #parked}, of the last part of its path. */
  public static ParkedKey parkedKey(String node) {
    return new ParkedKey(actorOf(node), parkedId(node));
  }

  /** Returns the id of a parked message's znode name. */
  static String parkedId(String node) {
    return URLDecoder.decode(node.substring(node.indexOf('~') + 1), StandardCharsets.UTF_8);
  }

  /** Returns the actor of a parked message's znode name, all of which can be read. */
  public static ActorPath actorOfParked(String node) {
    return parkedKey(node).actor();
  }

  /** Returns the actor of a mailbox's znode name; fails if it is none. */
  public static ActorPath actorOfMailbox(String node) {
    if (!isMailbox(node)) {
      throw new IllegalArgumentException("no mailbox: " + node);
    }
    return actorOf(node);
  }

  /** Returns whether a znode below {@link #mailboxes} is a mailbox. */
  public static boolean isMailbox(String node) {
    return MAILBOX.matcher(node).matches();
  }

  /** Returns the name of a new segment; the store appends its sequence. */
  public static String segment(int count, int bytes) {
    return "s" + count + "." + bytes + "-";
  }

  /**
   * A segment as described by its name.
   *
   * @param node its name, below its mailbox
   */
  public record SegmentName(String node, long sequence, int messages, int bytes) {
    /** Digits of a sequence number in ZooKeeper's znode names. */
    private static final int NUMBER_DIGITS = 10;

    private static final Pattern PATTERN = Pattern.compile("s(\\d{1,9})\\.(\\d{1,9})-(\\d{10})");

    /** Returns the segment of that sequence, count and size. */
    public static SegmentName of(long sequence, int messages, int bytes) {
      String number = Long.toString(Generation.number(sequence));
      String padded = "0".repeat(Math.max(0, NUMBER_DIGITS - number.length())) + number;
      return new SegmentName(segment(messages, bytes) + padded, sequence, messages, bytes);
    }

    /** Returns whether {@code node} is the name of a segment. */
    public static boolean is(String node) {
      return PATTERN.matcher(node).matches();
    }

    /** Returns the name of a segment of that generation. */
    public static SegmentName parse(long generation, String node) {
      Matcher matcher = PATTERN.matcher(node);
      if (!matcher.matches()) {
        throw StoreException.corrupt("znode \"%s\" in a mailbox is not a segment".formatted(node));
      }
      return new SegmentName(
          node,
          Generation.sequence(generation, Long.parseLong(matcher.group(3))),
          Integer.parseInt(matcher.group(1)),
          Integer.parseInt(matcher.group(2)));
    }
  }

  /** Returns whether the name of a znode is a number. */
  public static boolean isNumber(String name) {
    return DIGITS.matcher(name).matches();
  }
}
