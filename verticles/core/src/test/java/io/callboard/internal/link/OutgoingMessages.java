package io.callboard.internal.link;

import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.MessageType;
import java.util.ArrayList;
import java.util.List;

/** Makes numbered parcels and keeps their outcomes. */
final class OutgoingMessages implements Link.Outcomes {
  final List<Integer> accepted = new ArrayList<>();
  final List<Integer> refused = new ArrayList<>();
  final List<CallboardException> causes = new ArrayList<>();

  static final class Numbered extends OutgoingMessage {
    final int n;

    Numbered(int n, int bytes) {
      super(
          MessageKind.TELL, ActorPath.of("/a"), "me", 0, new MessageType("m", 1), new byte[bytes]);
      this.n = n;
    }

    @Override
    protected void accepted() {}

    @Override
    protected void refused(CallboardException cause) {}
  }

  static OutgoingMessage parcel(int n) {
    return new Numbered(n, 100);
  }

  static OutgoingMessage parcel(int n, int bytes) {
    return new Numbered(n, bytes);
  }

  static int number(OutgoingMessage outgoingMessage) {
    return ((Numbered) outgoingMessage).n;
  }

  static List<Integer> numbers(Link.Packed packed) {
    return packed.messages().stream().map(OutgoingMessages::number).toList();
  }

  @Override
  public void accepted(OutgoingMessage outgoingMessage) {
    accepted.add(number(outgoingMessage));
  }

  @Override
  public void refused(OutgoingMessage outgoingMessage, CallboardException cause) {
    refused.add(number(outgoingMessage));
    causes.add(cause);
  }
}
