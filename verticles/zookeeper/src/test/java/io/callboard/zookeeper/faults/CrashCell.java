package io.callboard.zookeeper.faults;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

/** Looks at what is stored in the cell of one crash point. */
final class CrashCell {
  private static final int PARTITIONS = 64;
  private static final Pattern SEGMENT = Pattern.compile("s(\\d+)\\.\\d+-\\d+");

  private final ZooKeeper client;
  private final String root;

  CrashCell(ZooKeeper client, String name) {
    this.client = client;
    this.root = "/callboard/" + name;
  }

  /**
   * Contents of the cell.
   *
   * @param noted the numbers in the keeper's state
   * @param mail messages that wait for the keeper
   * @param copies messages that wait for those that get copies
   * @param outbox entries in the keeper's outbox
   * @param parked messages of the keeper
   * @param bodies of large messages
   * @param generations of the keeper's mailbox
   * @param lease whose the keeper's partition is
   */
  record Found(
      List<Long> noted,
      int mail,
      int copies,
      int outbox,
      int parked,
      int bodies,
      List<Long> generations,
      String lease) {
    static final String OF_THE_KILLED = "the killed process";

    /** Returns the contents in words, without those that are empty. */
    String words() {
      List<String> words = new ArrayList<>();
      add(words, !noted.isEmpty(), "state " + noted);
      add(words, mail > 0, "mailbox " + mail);
      add(words, outbox > 0, "outbox " + outbox);
      add(words, copies > 0, "mailboxes of receivers " + copies);
      add(words, parked > 0, "parked " + parked);
      add(words, bodies > 0, "bodies " + bodies);
      add(words, generations.size() > 1, "generations " + generations);
      add(words, !lease.isEmpty(), "lease of " + lease);
      return String.join(", ", words);
    }

    private static void add(List<String> words, boolean there, String what) {
      if (there) {
        words.add(what);
      }
    }
  }

  Found look() {
    ActorPath keeper = ActorPath.of(CrashLoad.KEEPER);
    String at = keeper.partition(PARTITIONS) + "/" + keeper.toNodeName();
    List<Long> generations = new ArrayList<>();
    int mail = 0;
    for (String mailbox : children("m/" + keeper.partition(PARTITIONS))) {
      if (mailbox.startsWith(keeper.toNodeName() + "~")) {
        generations.add(Long.parseLong(mailbox.substring(mailbox.indexOf('~') + 1)));
        mail += messages("m/" + keeper.partition(PARTITIONS) + "/" + mailbox);
      }
    }
    return new Found(
        noted(CrashLoad.KEEPER),
        mail,
        waitingCopies(),
        children("x/" + at).size(),
        children("d/" + keeper.partition(PARTITIONS)).size(),
        children("b/" + keeper.partition(PARTITIONS)).size(),
        generations.stream().sorted().toList(),
        lease(keeper));
  }

  private int waitingCopies() {
    int copies = 0;
    for (String partition : children("m")) {
      if (partition.startsWith("copies~")) {
        for (String mailbox : children("m/" + partition)) {
          copies += messages("m/" + partition + "/" + mailbox);
        }
      }
    }
    return copies;
  }

  private int messages(String mailbox) {
    int messages = 0;
    for (String segment : children(mailbox)) {
      Matcher name = SEGMENT.matcher(segment);
      if (!name.matches()) {
        throw new AssertionError(segment + " is no segment");
      }
      messages += Integer.parseInt(name.group(1));
    }
    return messages;
  }

  private String lease(ActorPath actor) {
    JsonNode lease = json("o/" + actor.partition(PARTITIONS));
    if (lease.path("owner").asText().isEmpty()) {
      return "";
    }
    String boot = json("i/" + CrashLoad.NODE).path("boot").asText();
    return boot.equals(lease.path("boot").asText()) ? Found.OF_THE_KILLED : "the process before";
  }

  /** The numbers in the state of a keeper or of what takes copies. */
  List<Long> noted(String actor) {
    ActorPath path = ActorPath.of(actor);
    List<Long> noted = new ArrayList<>();
    json("a/%s/%s".formatted(path.partition(PARTITIONS), path.toNodeName()))
        .path("state")
        .path("numbers")
        .forEach(number -> noted.add(number.asLong()));
    return noted;
  }

  private List<String> children(String below) {
    try {
      return List.copyOf(new TreeSet<>(client.getChildren(root + "/" + below, false)));
    } catch (KeeperException.NoNodeException none) {
      return List.of();
    } catch (KeeperException | InterruptedException e) {
      throw new AssertionError(below + " cannot be read", e);
    }
  }

  private JsonNode json(String below) {
    try {
      return Json.parse(below, client.getData(root + "/" + below, false, null));
    } catch (KeeperException.NoNodeException none) {
      return Json.parse(below, new byte[] {'{', '}'});
    } catch (KeeperException | InterruptedException e) {
      throw new AssertionError(below + " cannot be read", e);
    }
  }
}
