package io.callboard.examples.reference;

import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import java.util.ArrayList;
import java.util.List;

/** A chat room whose state holds the refs of its members. */
public final class Room extends DurableStateActor<Room.Message, Room.Members> {
  /** The messages that it receives, and sends to members. */
  public sealed interface Message {
    /** A member enters. */
    record Join(ActorRef<Post> member) implements Message {}

    /** A text for all members. */
    record Post(String text) implements Message {}
  }

  /** The state. */
  public record Members(List<ActorRef<Message.Post>> members) {}

  @Override
  protected Members initial() {
    return new Members(List.of());
  }

  @Override
  protected void protocol(Protocol<Message> on) {
    on.message(
            Message.Join.class, join -> update(new Members(plus(state().members(), join.member()))))
        .message(Message.Post.class, post -> tellAll(state().members(), post));
  }

  private static <T> List<T> plus(List<T> some, T one) {
    List<T> all = new ArrayList<>(some);
    all.add(one);
    return List.copyOf(all);
  }
}
