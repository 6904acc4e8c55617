package io.callboard.zookeeper.internal.layout;

import io.callboard.codecs.Json;
import io.callboard.store.Formats;
import io.callboard.store.Member;
import io.callboard.zookeeper.internal.client.Handle.Node;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;

/** A live node as stored in {@code /h/<node>}. */
public record StoredMember(
    int f, String name, String boot, String home, Instant since, Map<String, String> facts) {
  /** Format that this software writes. */
  public static final int FORMAT = 1;

  /** Creates the stored form of a member. */
  public StoredMember {
    Objects.requireNonNull(name, "it lacks its name");
    Objects.requireNonNull(boot, "it lacks its boot");
    Objects.requireNonNull(home, "it lacks its home");
    Objects.requireNonNull(since, "it lacks its start");
    Objects.requireNonNull(facts, "it lacks its facts");
  }

  /**
   * Decodes a member.
   *
   * @param path names the znode in errors
   */
  public static StoredMember decode(String path, Node node) {
    StoredMember stored = Json.read("znode " + path, node.data(), StoredMember.class);
    Formats.check("znode " + path, stored.f, FORMAT);
    return stored;
  }

  /** Encodes the member. */
  public byte[] encode() {
    return Json.bytes(this);
  }

  /** Returns the member as other parts know it. */
  public Member member() {
    return new Member(name, boot, since, facts);
  }
}
