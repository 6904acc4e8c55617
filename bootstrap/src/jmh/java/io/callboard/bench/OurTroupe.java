package io.callboard.bench;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Protocol;
import io.callboard.bench.Signal.Hop;
import io.callboard.bench.Signal.Item;
import io.callboard.bench.Signal.More;

/** Volatile actors, through the front door. */
final class OurTroupe implements Troupe {
  /** Above what any load has under way, so that a refused message is a fault. */
  private static final int MAILBOX = 1 << 18;

  private final Node node;
  private final String zone;
  private final ActorOptions options;
  private int started;

  OurTroupe(Node node, String zone) {
    this.node = node;
    this.zone = zone;
    this.options = new ActorOptions().onBus(false).mailboxLimit(MAILBOX).zone(zone);
  }

  @Override
  public Target start(Handler handler) throws Exception {
    String path = "/bench/%s/player-%d".formatted(zone, started++);
    return new Told(node.spawn(path, () -> new Player(handler), options));
  }

  /** Target that is told without a look at the future; a refused message is missed at the end. */
  private record Told(ActorRef<Signal> actor) implements Target {
    @Override
    public void tell(Signal signal) {
      var unused = actor.tell(signal);
    }
  }

  private static final class Player extends Actor<Signal> implements Mouth {
    private final Handler handler;

    Player(Handler handler) {
      this.handler = handler;
    }

    @Override
    protected void protocol(Protocol<Signal> on) {
      on.message(Item.class, this::take).message(More.class, this::take);
      on.message(Hop.class, this::take);
    }

    private void take(Signal signal) {
      handler.handle(signal, this);
    }

    @Override
    public void tell(Target to, Signal signal) {
      tell(((Told) to).actor(), signal);
    }
  }

  /** The node is its owner's. */
  @Override
  public void close() {}
}
