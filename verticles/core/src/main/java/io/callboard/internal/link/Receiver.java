package io.callboard.internal.link;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.internal.link.Frame.Acknowledgement;
import io.callboard.internal.link.Frame.Acknowledgement.Refusal;
import io.callboard.internal.link.Frame.Origin;
import io.callboard.supervision.Causes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receiver of the frames of other nodes. It never throws, whatever comes. On the router's context.
 */
final class Receiver {
  private static final Logger log = LoggerFactory.getLogger(Receiver.class);
  private static final int COMPLAINTS = 1_024;

  private final LocalEndpoint localEndpoint;
  private final Peers peers;
  private final LinkMeter linkMeter;
  private final NodeSignals signals;
  private final Broadcasts broadcasts;
  private final Set<String> complained = new HashSet<>();

  Receiver(
      LocalEndpoint localEndpoint,
      Peers peers,
      LinkMeter linkMeter,
      NodeSignals signals,
      Broadcasts broadcasts) {
    this.localEndpoint = localEndpoint;
    this.peers = peers;
    this.linkMeter = linkMeter;
    this.signals = signals;
    this.broadcasts = broadcasts;
  }

  /**
   * Takes a frame.
   *
   * @param body of a message to the node's address
   */
  void arrived(@Nullable Object body) {
    if (!(body instanceof byte[] bytes)) {
      refuse(null, "it is not a frame");
      return;
    }
    FrameReader reader = new FrameReader(bytes);
    try {
      handle(reader.read());
    } catch (FrameException e) {
      refuse(reader.origin(), Causes.message(e));
    } catch (RuntimeException e) {
      log.warn("a frame of another node could not be handled", Causes.readable(e));
    }
  }

  private void refuse(@Nullable Origin origin, String why) {
    linkMeter.refused.increment();
    String from = origin == null ? "an unknown node" : "node " + origin.name();
    if (complained.size() < COMPLAINTS && complained.add(from)) {
      log.warn("a frame of {} is refused; further ones are logged at level DEBUG: {}", from, why);
    } else {
      log.debug("a frame of {} is refused: {}", from, why);
    }
  }

  private void handle(Frame frame) {
    if (frame instanceof Frame.Bye bye) {
      peers.gone(bye.origin().boot(), "has stopped");
      return;
    } else if (frame instanceof Frame.Signal signal) {
      signals.arrived(signal);
      return;
    } else if (frame instanceof Frame.Broadcast broadcast) {
      broadcasts.arrived(broadcast);
      return;
    }
    Peer peer = peers.meet(frame.origin());
    if (peer == null) {
      refuse(frame.origin(), "too many nodes have links to this one");
    } else if (frame instanceof Frame.Data data) {
      data(peer, data);
    } else if (frame instanceof Frame.Hello hello) {
      if (peer.greeted(hello)) {
        peer.welcome(hello.link(), peers.limits());
      } else {
        peer.reset(hello.link());
      }
    } else if (frame instanceof Frame.Welcome welcome) {
      Link link = peer.out();
      if (link != null && link.id() == welcome.link()) {
        link.welcomed(welcome.messages(), welcome.bytes());
        peers.touch(peer);
      }
    } else if (frame instanceof Frame.TakesPushes takes) {
      Link link = peer.out();
      if (link != null && link.id() == takes.link()) {
        link.takesPushes();
      }
    } else if (frame instanceof Frame.Reset reset) {
      Link link = peer.out();
      if (link != null && link.id() == reset.link()) {
        peers.lose(peer, "does not know the link any more");
      }
    }
  }

  private void data(Peer peer, Frame.Data data) {
    Link link = peer.out();
    if (link != null && link.id() == data.acknowledged()) {
      Link.Outcomes outcomes = peers.outcomes(peer);
      for (Acknowledgement acknowledgement : data.acknowledgements()) {
        link.acknowledged(acknowledgement, peer.name(), outcomes);
      }
      peers.touch(peer);
    }
    if (!data.messages().isEmpty()) {
      messages(peer, data);
    }
  }

  private void messages(Peer peer, Frame.Data data) {
    Inbound in = peer.in();
    if (in == null || in.link() < data.link()) {
      peer.reset(data.link());
      return;
    }
    long lost = in.link() == data.link() ? in.arrived(data.sequence()) : Inbound.REPEATED;
    if (lost == Inbound.REPEATED) {
      linkMeter.repeated.increment();
      return;
    }
    if (lost > 0) {
      linkMeter.lost.add(lost);
      log.warn("{} frames of node {} were lost on the way", lost, peer.name());
    }
    linkMeter.framesIn.increment();
    linkMeter.messagesIn.add(data.messages().size());
    List<Refusal> refused = new ArrayList<>(0);
    int index = 0;
    for (IncomingMessage message : data.messages()) {
      CallboardException cause = deliver(message, peer.boot());
      if (cause != null) {
        refused.add(Refusal.of(index, cause));
      }
      index++;
    }
    peer.acknowledge(new Acknowledgement(data.sequence(), lost, refused));
    peers.touch(peer);
  }

  private @Nullable CallboardException deliver(IncomingMessage message, String boot) {
    try {
      switch (message.kind()) {
        case TELL, ASK -> {
          return localEndpoint.deliver(message, boot);
        }
        case PUSH -> {
          linkMeter.pushesIn.increment();
          return localEndpoint.pushed(message, boot);
        }
        case ANSWER -> localEndpoint.answered(message);
        case FAILURE ->
            localEndpoint.failed(
                message.number(),
                FrameReader.code(message.type().name()),
                new String(
                    message.frame(), message.offset(), message.length(), StandardCharsets.UTF_8));
      }
      return null;
    } catch (RuntimeException e) {
      log.warn(
          "a message of type {} could not be passed on", message.type().name(), Causes.readable(e));
      return new CallboardException(Code.HANDLER_FAILED, Causes.text(e), Causes.readable(e));
    }
  }
}
