package io.callboard.link;

import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.MessageType;
import java.util.ArrayList;
import java.util.List;

/** Makes numbered parcels and keeps their outcomes. */
final class Parcels implements Outcomes {
  final List<Integer> accepted = new ArrayList<>();
  final List<Integer> refused = new ArrayList<>();
  final List<CallboardException> causes = new ArrayList<>();

  static final class Numbered extends Parcel {
    final int n;

    Numbered(int n, int bytes) {
      super(Kind.TELL, ActorPath.of("/a"), "me", 0, new MessageType("m", 1), new byte[bytes]);
      this.n = n;
    }

    @Override
    protected void accepted() {}

    @Override
    protected void refused(CallboardException cause) {}
  }

  static Parcel parcel(int n) {
    return new Numbered(n, 100);
  }

  static Parcel parcel(int n, int bytes) {
    return new Numbered(n, bytes);
  }

  static int number(Parcel parcel) {
    return ((Numbered) parcel).n;
  }

  static List<Integer> numbers(Link.Packed packed) {
    return packed.parcels().stream().map(Parcels::number).toList();
  }

  @Override
  public void accepted(Parcel parcel) {
    accepted.add(number(parcel));
  }

  @Override
  public void refused(Parcel parcel, CallboardException cause) {
    refused.add(number(parcel));
    causes.add(cause);
  }
}
