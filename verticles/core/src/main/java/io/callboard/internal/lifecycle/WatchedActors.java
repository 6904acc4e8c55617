package io.callboard.internal.lifecycle;

import io.callboard.ActorRef;
import io.callboard.Terminated;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.mailbox.Reply;
import io.callboard.internal.messaging.ActorRefImpl;
import io.callboard.internal.messaging.MessageSender;
import io.callboard.internal.messaging.Termination;
import io.vertx.core.Context;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** The actors that one actor watches: each end becomes a message to it. Used on its context. */
final class WatchedActors {
  private final ActorPath watcher;
  private final MessageSender sender;
  private final Consumer<Delivery> toSelf;
  private Map<Key, Watch> watches = Map.of();

  /**
   * @param toSelf takes the messages of the ends
   */
  WatchedActors(ActorPath watcher, MessageSender sender, Consumer<Delivery> toSelf) {
    this.watcher = watcher;
    this.sender = sender;
    this.toSelf = toSelf;
  }

  /** Watches {@code actor} anew; its end is reported on {@code here}. */
  void watch(ActorRef<?> actor, Context here, Function<Terminated, ?> message) {
    unwatch(actor);
    ActorRefImpl<?> ref = ActorRefImpl.of(sender, actor);
    Key key = new Key(ref.sender(), ref.path());
    Watch watch = new Watch(key);
    if (watches.isEmpty()) {
      watches = new HashMap<>();
    }
    watches.put(key, watch);
    watch.cancel = ref.watch(end -> here.runOnContext(v -> terminated(ref, end, message, watch)));
  }

  private void terminated(
      ActorRef<?> actor, Termination end, Function<Terminated, ?> message, Watch watch) {
    if (!watch.ended) {
      Object made = message.apply(new Terminated(actor, end.reason(), end.failure()));
      MessageSender.requireMessage(watcher, made);
      toSelf.accept(new Delivery(made, Reply.NONE, Delivery.NEVER, watch));
    }
  }

  void unwatch(ActorRef<?> actor) {
    Key key = new Key(ActorRefImpl.of(sender, actor).sender(), actor.path());
    Watch watch = watches.isEmpty() ? null : watches.remove(key);
    if (watch != null) {
      watch.end();
    }
  }

  /** Ends all watches. */
  void end() {
    Map<Key, Watch> last = watches;
    watches = Map.of();
    last.values().forEach(Watch::end);
  }

  /** Key of a watch; two cells may each have an actor of the same path. */
  private record Key(MessageSender through, ActorPath actor) {}

  /** One watch, and the ticket of its message. */
  private final class Watch implements Delivery.Ticket {
    private final Key key;
    private Runnable cancel = () -> {};
    private boolean ended;

    Watch(Key key) {
      this.key = key;
    }

    void end() {
      ended = true;
      cancel.run();
    }

    @Override
    public boolean isOwn() {
      return true;
    }

    @Override
    public boolean redeem() {
      return !ended && watches.remove(key, this);
    }
  }
}
