package io.callboard.examples.reference;

import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import java.util.ArrayList;
import java.util.List;

/** Remembers who is in it, by their refs. */
public final class Room extends DurableStateActor<Room.Message, Room.Members> {
  /** What it is told, and tells. */
  public sealed interface Message {
    /** Somebody enters. */
    record Join(ActorRef<Post> member) implements Message {}

    /** Something for everybody. */
    record Post(String text) implements Message {}
  }

  /** Who is there. */
  public record Members(List<ActorRef<Message.Post>> members) {}

  @Override
  protected Members initial() {
    return new Members(List.of());
  }

  @Override
  protected void protocol(Protocol<Message> on) {
    on.message(
            Message.Join.class, join -> update(new Members(plus(state().members(), join.member()))))
        .message(Message.Post.class, post -> state().members().forEach(to -> tell(to, post)));
  }

  private static <T> List<T> plus(List<T> some, T one) {
    List<T> all = new ArrayList<>(some);
    all.add(one);
    return List.copyOf(all);
  }
}
