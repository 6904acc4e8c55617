package io.callboard.internal.membership;

import io.callboard.ActorGroup;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.cell.CellListener;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.messaging.ActorRefImpl;
import io.callboard.internal.messaging.MessageSender;
import io.callboard.store.Member;
import io.callboard.store.Store;
import io.callboard.supervision.Causes;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Groups of the cell: publishes the group members of this node as one fact, and follows the facts
 * of the other nodes. Thread-safe.
 *
 * <p>Changes are collected: the fact is published {@link #SOON_MILLIS} after the first, and again
 * not before {@link #PAUSE_MILLIS}; so is one whose publication has failed.
 *
 * <p>The facts of the others are read when the members of the cell have changed, when the store can
 * be reached again, and with each sweep; a failed read is repeated after {@link #PAUSE_MILLIS}.
 */
public final class Groups implements CellListener {
  static final String FACT = "callboard.groups";
  private static final long SOON_MILLIS = 100;
  private static final long PAUSE_MILLIS = 1_000;
  private static final Logger log = LoggerFactory.getLogger(Groups.class);

  private final NodeContext node;
  private final Store store;
  private final MemberFacts facts;
  private final MessageSender sender;
  private final GroupMembership membership = new GroupMembership();
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private boolean changed;
  private boolean publishing;
  private boolean looking;
  private boolean again;
  private boolean unread;
  private boolean waiting;
  private boolean closed;

  /**
   * @param sender the sender of the refs to members
   */
  public Groups(NodeContext node, Store store, MemberFacts facts, MessageSender sender) {
    this.node = node;
    this.store = store;
    this.facts = facts;
    this.sender = sender;
  }

  /**
   * Returns the failure of an actor that would be started with these options; empty if it can be
   * started.
   */
  public synchronized Optional<CallboardException> hindrance(ActorOptions options) {
    return options.group().isPresent() && membership.isFull()
        ? Optional.of(new CallboardException(Code.UNAVAILABLE, GroupMembership.full()))
        : Optional.empty();
  }

  /** Records that an actor runs; it joins a group if its options name one. */
  public void joined(ActorPath path, boolean durable, ActorOptions options) {
    options.group().ifPresent(group -> join(group, path, durable));
  }

  private void join(String group, ActorPath path, boolean durable) {
    synchronized (this) {
      int before = membership.waiting();
      if (!membership.join(group, path, durable)) {
        tellWaiting(before, path, group);
        return;
      }
      changed = true;
    }
    publishSoon(SOON_MILLIS);
    tell(Set.of(group));
  }

  private void tellWaiting(int before, ActorPath path, String group) {
    if (before == 0 && membership.waiting() > 0) {
      log.warn(
          "{} runs, but could not join group {}: {}; it and all later ones join "
              + "when others leave",
          path,
          group,
          GroupMembership.full());
    }
  }

  /** Records that an actor runs no more. */
  public void left(ActorPath path) {
    Set<String> groups;
    synchronized (this) {
      int before = membership.waiting();
      groups = membership.leave(path);
      if (before > 0 && membership.waiting() == 0) {
        log.info("all actors of this node have joined their groups");
      }
      if (groups.isEmpty()) {
        return;
      }
      changed = true;
    }
    publishSoon(SOON_MILLIS);
    tell(groups);
  }

  private void publishSoon(long millis) {
    synchronized (this) {
      if (publishing || closed || !changed) {
        return;
      }
      publishing = true;
    }
    node.afterMillis(millis, this::publish);
  }

  private void publish() {
    node.fromDurableContext(Promise.promise(), this::publishNow)
        .onFailure(this::notPublished)
        .onComplete(
            done ->
                node.afterMillis(
                    PAUSE_MILLIS,
                    () -> {
                      synchronized (this) {
                        publishing = false;
                      }
                      publishSoon(1);
                    }));
  }

  /** Publishes the fact; on the durable context. */
  private Future<Void> publishNow() {
    String fact;
    synchronized (this) {
      if (closed) {
        return Future.succeededFuture();
      }
      changed = false;
      fact = membership.fact();
    }
    return facts.publish(FACT, fact);
  }

  private void notPublished(Throwable cause) {
    synchronized (this) {
      changed = true;
      if (closed) {
        return;
      }
    }
    log.warn("the groups of this node could not be published, and will be: {}", Causes.text(cause));
  }

  /** Stops publishing: the memberships end with the node's. */
  public synchronized void close() {
    closed = true;
  }

  @Override
  public void membersChanged() {
    synchronized (this) {
      again = looking;
      if (looking || closed) {
        return;
      }
      looking = true;
    }
    Future.succeededFuture()
        .compose(begun -> store.members())
        .map(
            members -> {
              found(members);
              return members;
            })
        .onFailure(this::notRead)
        .onComplete(done -> looked(done.succeeded()));
  }

  /**
   * Ends a read; the next follows at once if something has changed meanwhile, later if this one
   * failed.
   */
  private void looked(boolean read) {
    boolean now;
    boolean later;
    synchronized (this) {
      looking = false;
      unread = !read;
      now = read && again;
      later = !read && !waiting && !closed;
      waiting |= later;
    }
    if (now) {
      membersChanged();
    } else if (later) {
      node.afterMillis(PAUSE_MILLIS, this::lookAgain);
    }
  }

  private void lookAgain() {
    synchronized (this) {
      waiting = false;
    }
    membersChanged();
  }

  private void notRead(Throwable cause) {
    synchronized (this) {
      if (unread || closed) {
        return;
      }
    }
    log.warn(
        "the groups of the other nodes could not be read, and will be: {}", Causes.text(cause));
  }

  private void found(List<Member> members) {
    Map<String, String> theirs = new HashMap<>();
    for (Member member : members) {
      String fact = member.facts().get(FACT);
      if (fact != null && !member.bootId().equals(node.bootId())) {
        theirs.put(member.name(), fact);
      }
    }
    List<String> broken = new ArrayList<>();
    Set<String> groups;
    synchronized (this) {
      groups = membership.elsewhere(theirs, broken);
    }
    broken.forEach(log::warn);
    tell(groups);
  }

  private void tell(Set<String> groups) {
    for (Listener listener : listeners) {
      if (groups.contains(listener.group)) {
        listener.changed();
      }
    }
  }

  private synchronized List<GroupMembership.Member> members(String group) {
    return membership.members(group);
  }

  public <M> ActorGroup<M> group(String name, Class<M> protocol) {
    return new Group<>(ActorGroup.named(name), protocol);
  }

  private final class Group<M> implements ActorGroup<M> {
    private final String name;
    private final Class<M> protocol;

    Group(String name, Class<M> protocol) {
      this.name = name;
      this.protocol = protocol;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public List<ActorRef<M>> members() {
      return refs(Groups.this.members(name));
    }

    private List<ActorRef<M>> refs(List<GroupMembership.Member> members) {
      return members.stream()
          .<ActorRef<M>>map(
              each -> new ActorRefImpl<>(sender, each.path(), each.durable(), protocol))
          .toList();
    }

    @Override
    public Runnable listen(Consumer<List<ActorRef<M>>> listener) {
      Objects.requireNonNull(listener, "listener is null: give one");
      Listener own = new Listener(name, members -> listener.accept(refs(members)));
      listeners.add(own);
      own.changed();
      return () -> {
        own.over = true;
        listeners.remove(own);
      };
    }
  }

  /** Listener for the members of a group. */
  private final class Listener {
    private final String group;
    private final Consumer<List<GroupMembership.Member>> told;
    private final Context context = node.vertx().getOrCreateContext();
    private @Nullable List<GroupMembership.Member> last;
    private volatile boolean over;

    Listener(String group, Consumer<List<GroupMembership.Member>> told) {
      this.group = group;
      this.told = told;
    }

    void changed() {
      context.runOnContext(v -> look());
    }

    /** Reads the members; on the context. */
    private void look() {
      List<GroupMembership.Member> now = members(group);
      if (!over && !now.equals(last)) {
        last = now;
        told.accept(now);
      }
    }
  }
}
