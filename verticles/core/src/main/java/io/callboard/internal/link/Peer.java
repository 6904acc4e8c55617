package io.callboard.internal.link;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.internal.link.Frame.Acknowledgement;
import io.vertx.core.Future;
import io.vertx.core.eventbus.MessageProducer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Link to another node in both directions, as the router knows it. On the router's context. */
final class Peer {
  private final String boot;
  private final MessageProducer<byte[]> address;
  private final FrameWriter writer;
  private final LinkMeter linkMeter;
  private final BiConsumer<Peer, Throwable> unreachable;
  private final List<Acknowledgement> acknowledgements = new ArrayList<>();
  private String name;
  private @Nullable Link out;
  private @Nullable Inbound in;

  /**
   * @param unreachable called when a frame could not be handed to the network
   */
  Peer(
      String boot,
      String name,
      MessageProducer<byte[]> address,
      FrameWriter writer,
      LinkMeter linkMeter,
      BiConsumer<Peer, Throwable> unreachable) {
    this.boot = boot;
    this.name = name;
    this.address = address;
    this.writer = writer;
    this.linkMeter = linkMeter;
    this.unreachable = unreachable;
  }

  String boot() {
    return boot;
  }

  String name() {
    return name;
  }

  void named(String given) {
    name = given;
  }

  @Nullable Link out() {
    return out;
  }

  void open(Link link) {
    out = link;
  }

  @Nullable Inbound in() {
    return in;
  }

  /** Ends the incoming link. */
  void closeIn() {
    in = null;
    acknowledgements.clear();
  }

  /** Takes a hello of the peer; false if its link is no longer known here. */
  boolean greeted(Frame.Hello hello) {
    Inbound now = in;
    if (now == null || now.link() < hello.link()) {
      if (hello.next() > 1) {
        return false;
      }
      in = new Inbound(hello.link());
      acknowledgements.clear();
    }
    return true;
  }

  void acknowledge(Acknowledgement acknowledgement) {
    acknowledgements.add(acknowledgement);
  }

  /** Checks the time. */
  Link.Wish tick(long nowNs) {
    Link link = out;
    Link.Wish wish = link == null ? Link.Wish.NOTHING : link.tick(nowNs);
    if (wish == Link.Wish.HELLO && link != null) {
      write(writer.hello(link.id(), link.next()));
    }
    return wish;
  }

  /** Sends what may be sent now: acknowledgements, and messages within the credit. */
  void flush(long nowNs) {
    while (true) {
      List<Acknowledgement> some = takeAcknowledgements();
      boolean crowded =
          some.stream().mapToInt(Acknowledgement::bytes).sum() > WireFormat.ACKNOWLEDGEMENT_BYTES;
      Link link = out;
      Link.Packed packed = link == null || crowded ? null : link.pack(nowNs);
      if (packed == null && some.isEmpty()) {
        return;
      }
      long acknowledged = in == null ? 0 : in.link();
      if (packed == null || link == null) {
        write(writer.data(0, 0, acknowledged, some, List.of()));
        continue;
      }
      linkMeter.framesOut.increment();
      linkMeter.messagesOut.add(packed.messages().size());
      linkMeter.pushesOut.add(packed.pushes());
      write(writer.data(link.id(), packed.sequence(), acknowledged, some, packed.messages()));
    }
  }

  private List<Acknowledgement> takeAcknowledgements() {
    if (acknowledgements.isEmpty()) {
      return List.of();
    }
    int bytes = 0;
    int count = 0;
    while (count < Math.min(acknowledgements.size(), WireFormat.ACKNOWLEDGEMENTS)
        && bytes <= WireFormat.ACKNOWLEDGEMENT_BYTES) {
      bytes += acknowledgements.get(count++).bytes();
    }
    List<Acknowledgement> head = acknowledgements.subList(0, count);
    List<Acknowledgement> taken = List.copyOf(head);
    head.clear();
    return taken;
  }

  void welcome(long link, LinkLimits limits) {
    write(writer.welcome(link, limits.windowMessages(), limits.windowBytes()));
    write(writer.takesPushes(link));
  }

  void reset(long link) {
    write(writer.reset(link));
  }

  Future<Void> bye() {
    return address.write(writer.bye());
  }

  private void write(byte[] frame) {
    address.write(frame).onFailure(cause -> unreachable.accept(this, cause));
  }

  /** Ends the outgoing link; its messages are refused with {@code why}. */
  void closeOut(Code code, String why, Link.Outcomes outcomes) {
    Link link = out;
    out = null;
    if (link != null) {
      link.end(
          new CallboardException(code, "node %s %s: the outcome is unknown".formatted(name, why)),
          new CallboardException(code, "node %s %s: nothing was sent".formatted(name, why)),
          outcomes);
    }
  }
}
