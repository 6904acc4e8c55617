package io.callboard.zookeeper.layout;

import io.callboard.codecs.Json;
import io.callboard.store.Formats;
import io.callboard.store.Member;
import io.callboard.zookeeper.client.Handle.Node;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;

/** A live node as stored in {@code /h/<node>}. */
public record StoredMember(
    int f, String name, String boot, String home, Instant since, Map<String, String> facts) {
  public static final int FORMAT = 1;

  public StoredMember {
    Objects.requireNonNull(name, "it lacks its name");
    Objects.requireNonNull(boot, "it lacks its boot");
    Objects.requireNonNull(home, "it lacks its home");
    Objects.requireNonNull(since, "it lacks its start");
    Objects.requireNonNull(facts, "it lacks its facts");
  }

  public static StoredMember decode(String path, Node node) {
    StoredMember stored = Json.read("znode " + path, node.data(), StoredMember.class);
    Formats.check("znode " + path, stored.f, FORMAT);
    return stored;
  }

  public byte[] encode() {
    return Json.bytes(this);
  }

  public Member member() {
    return new Member(name, boot, since, facts);
  }
}
