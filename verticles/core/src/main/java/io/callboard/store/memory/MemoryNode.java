package io.callboard.store.memory;

import io.callboard.store.Member;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Data that a {@link MemoryCell} keeps for a node's name. Guarded by the cell. */
final class MemoryNode {
  private final String name;
  private long incarnation;
  private long commitNumber;
  private String bootId = "";
  private @Nullable MemoryStore holder;
  private @Nullable Member member;

  MemoryNode(String name) {
    this.name = name;
  }

  long incarnation() {
    return incarnation;
  }

  long commitNumber() {
    return commitNumber;
  }

  void committed() {
    commitNumber++;
  }

  /** Returns whether the last process that took the name is that one. */
  boolean isOf(String boot) {
    return bootId.equals(boot);
  }

  Optional<MemoryStore> holder() {
    return Optional.ofNullable(holder);
  }

  Optional<Member> member() {
    return Optional.ofNullable(member);
  }

  /** Takes the name for {@code store}, or lets it join again; its earlier incarnations are over. */
  void join(MemoryStore store, String boot, Instant since, Map<String, String> facts) {
    incarnation++;
    bootId = boot;
    holder = store;
    member = new Member(name, boot, since, facts);
  }

  /** Publishes facts of the node, if it is live. */
  void publish(Map<String, String> facts) {
    if (member != null) {
      member = new Member(name, bootId, member.since(), facts);
    }
  }

  void leave() {
    holder = null;
    member = null;
  }
}
