package io.callboard.internal.link;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.internal.link.Frame.Origin;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Nodes that the router speaks with. On the router's context. */
final class Peers {
  /** Prefix of a node's event bus address, before its boot id. */
  static final String PREFIX = "callboard.node.";

  private static final Logger log = LoggerFactory.getLogger(Peers.class);
  private static final int LIMIT = 4_096;

  private final Vertx vertx;
  private final LinkLimits limits;
  private final LinkMeter linkMeter;
  private final Directory directory;
  private final Settlements settlements;
  private final FrameWriter writer;
  private final Map<String, Peer> peers = new HashMap<>();
  private final Set<Peer> dirty = new LinkedHashSet<>();
  private @Nullable Peer last;
  private long links;

  Peers(
      Vertx vertx,
      Origin self,
      LinkLimits limits,
      LinkMeter linkMeter,
      Directory directory,
      Settlements settlements) {
    this.vertx = vertx;
    this.limits = limits;
    this.linkMeter = linkMeter;
    this.directory = directory;
    this.settlements = settlements;
    this.writer = new FrameWriter(self);
  }

  /** Returns the peer of that boot id, made if it is new. */
  private Peer get(String boot, String name) {
    Peer known = last;
    if (known != null && known.boot().equals(boot)) {
      return known;
    }
    Peer peer = peers.get(boot);
    if (peer == null) {
      peer =
          new Peer(
              boot,
              name,
              vertx.eventBus().sender(PREFIX + boot),
              writer,
              linkMeter,
              this::unreachable);
      peers.put(boot, peer);
    }
    last = peer;
    return peer;
  }

  /** Returns the peer of a node that speaks first; null if there are too many. */
  @Nullable Peer meet(Origin origin) {
    if (peers.size() >= LIMIT && !peers.containsKey(origin.boot())) {
      return null;
    }
    named(origin.boot(), origin.name());
    return get(origin.boot(), origin.name());
  }

  void named(String boot, String name) {
    get(boot, name).named(name);
  }

  /** Returns the outgoing link to a peer, made if there is none. */
  private Link link(Peer peer) {
    Link link = peer.out();
    if (link == null) {
      link = new Link(++links, limits, System.nanoTime());
      peer.open(link);
      tick(peer);
    }
    return link;
  }

  /** Queues a message on the link to a peer. */
  void offer(String boot, OutgoingMessage outgoingMessage) {
    Peer peer = get(boot, boot);
    if (link(peer).offer(outgoingMessage)) {
      touch(peer);
      return;
    }
    linkMeter.overflowed.increment();
    settlements.refused(
        outgoingMessage,
        new CallboardException(
            Code.MAILBOX_FULL,
            "too many messages wait for node %s: at most %d, %d bytes"
                .formatted(peer.name(), limits.queueMessages(), limits.queueBytes())));
  }

  /**
   * Queues a push on the link to a peer; the first makes the link. A push that cannot leave at once
   * is dropped: the owner finds its mail later.
   */
  void offerPush(String boot, OutgoingMessage push) {
    Peer peer = peers.size() >= LIMIT && !peers.containsKey(boot) ? null : get(boot, boot);
    if (peer == null) {
      linkMeter.pushesDropped.increment();
      return;
    }
    if (link(peer).offerPush(push)) {
      touch(peer);
    } else {
      linkMeter.pushesDropped.increment();
    }
  }

  /** Schedules a flush of the peer. */
  void touch(Peer peer) {
    dirty.add(peer);
  }

  void flush() {
    if (!dirty.isEmpty()) {
      long nowNs = System.nanoTime();
      for (Peer peer : List.copyOf(dirty)) {
        peer.flush(nowNs);
      }
      dirty.clear();
    }
  }

  void tick() {
    List.copyOf(peers.values()).forEach(this::tick);
  }

  private void tick(Peer peer) {
    if (peer.tick(System.nanoTime()) == Link.Wish.GIVE_UP) {
      lose(peer, "does not answer");
    } else if (peer.out() == null && peer.in() == null) {
      remove(peer);
    }
  }

  private void unreachable(Peer peer, Throwable cause) {
    Link link = peer.out();
    if (link != null && link.isOpen()) {
      lose(peer, "cannot be reached");
      settlements.flush();
    } else {
      log.debug("a frame for node {} was not sent", peer.name(), Causes.readable(cause));
    }
  }

  /** Ends the outgoing link, which has failed; the incoming one is independent. */
  void lose(Peer peer, String why) {
    log.info("the link to node {} is closed: the node {}", peer.name(), why);
    directory.forget(peer.boot());
    peer.closeOut(Code.UNAVAILABLE, why, settlements);
    if (peer.in() == null) {
      remove(peer);
    }
  }

  /** Forgets a node that is gone. */
  void gone(String boot, String why) {
    directory.forget(boot);
    Peer peer = peers.get(boot);
    if (peer != null) {
      peer.closeIn();
      peer.closeOut(Code.UNAVAILABLE, why, settlements);
      remove(peer);
    }
  }

  private void remove(Peer peer) {
    peers.remove(peer.boot());
    dirty.remove(peer);
    last = null;
  }

  LinkLimits limits() {
    return limits;
  }

  /** Returns the listener for the outcomes in the acknowledgements from {@code peer}. */
  Link.Outcomes outcomes(Peer peer) {
    return new Link.Outcomes() {
      @Override
      public void accepted(OutgoingMessage outgoingMessage) {
        settlements.accepted(outgoingMessage);
      }

      @Override
      public void refused(OutgoingMessage outgoingMessage, CallboardException cause) {
        boolean notThere = cause.code() == Code.NO_SUCH_ACTOR || cause.code() == Code.STOPPED;
        if (notThere && outgoingMessage.kind().isForActor()) {
          directory.forget(outgoingMessage.to(), peer.boot());
        }
        settlements.refused(outgoingMessage, cause);
      }
    };
  }

  /** Says goodbye to all peers; failures to do so are ignored. */
  Future<Void> close() {
    List<Future<Void>> byes = new ArrayList<>();
    for (Peer peer : peers.values()) {
      byes.add(
          peer.bye()
              .otherwise(
                  cause -> {
                    log.debug(
                        "node {} left without closing its link",
                        peer.name(),
                        Causes.readable(cause));
                    return null;
                  }));
      peer.closeOut(Code.STOPPED, "gets no further messages, because this node stops", settlements);
    }
    peers.clear();
    dirty.clear();
    last = null;
    return Future.join(byes).mapEmpty();
  }
}
