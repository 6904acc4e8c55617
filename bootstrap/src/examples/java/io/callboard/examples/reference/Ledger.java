package io.callboard.examples.reference;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.topic.Topic;
import io.vertx.core.Future;

/** Subscribes to a topic, and has each of its events exactly once. */
public final class Ledger extends DurableStateActor<Ledger.Entry, Ledger.Sum> {
  /** The commands. */
  public sealed interface Entry {
    /** Opening of the ledger. */
    record Open() implements Entry {}

    /** Payment received. */
    record Income(long cents) implements Entry {}
  }

  /** Sum of all payments. */
  public record Sum(long cents) {}

  /** Event of the topic: an order was paid. */
  public record Paid(String order, long cents) {}

  /** Starts the topic, an actor like any other. */
  public static Future<ActorRef<Topic.Command>> topic(Callboard callboard) {
    return callboard.spawn("/topics/paid", Topic.of(Paid.class));
  }

  /** Publishes an event by a tell, inside of a turn or outside. */
  public static Future<Void> publish(Callboard callboard, Paid paid) {
    return callboard.durableRef("/topics/paid", Paid.class).tell(paid);
  }

  @Override
  protected Sum initial() {
    return new Sum(0);
  }

  @Override
  protected void protocol(Protocol<Entry> on) {
    on.adapt(Paid.class, paid -> new Entry.Income(paid.cents()))
        .message(Entry.Open.class, open -> subscribe())
        .message(Entry.Income.class, income -> update(new Sum(state().cents() + income.cents())));
  }

  private void subscribe() {
    ActorRef<Topic.Command> topic = callboard().durableRef("/topics/paid", Topic.Command.class);
    tell(topic, Topic.subscribe(self(Paid.class)));
  }
}
