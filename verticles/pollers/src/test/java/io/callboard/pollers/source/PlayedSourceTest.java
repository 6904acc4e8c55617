package io.callboard.pollers.source;

import io.callboard.time.Time;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;

/** Checks the source that other tests play with. */
class PlayedSourceTest extends SourceContract {
  private PlayedQueue played = new PlayedQueue(Time.SYSTEM);
  private int clients;

  /** Returns the mistakes that the sources make. */
  PlayedSource.Fault[] faults() {
    return new PlayedSource.Fault[0];
  }

  @Override
  protected void makeQueue(String name) {
    played = new PlayedQueue(Time.SYSTEM);
  }

  @Override
  protected Source newSource(Duration lease) {
    clients++;
    return new PlayedSource(vertx(), played, "client" + clients, lease, faults());
  }

  @Override
  protected void put(List<Buffer> bodies) {
    bodies.forEach(played::put);
  }

  @Override
  protected void putUnreadable() {
    played.put(Buffer.buffer(new byte[(1 << 24) + 1]));
  }

  @Override
  protected List<Aside> aside() {
    return played.aside();
  }

  @Override
  protected void refuseAside() {
    played.failNext("aside", Integer.MAX_VALUE);
  }

  @Override
  protected void acceptAside() {
    played.failNext("aside", 0);
  }

  @Override
  protected List<EmittedMessage> emitted(String target) {
    return played.emitted(target);
  }

  @Override
  protected void away() {
    played.away(true);
  }

  @Override
  protected void back() {
    played.away(false);
  }
}
