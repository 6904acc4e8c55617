package io.callboard.testkit.tck;

import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import java.util.ArrayList;
import java.util.List;

/** Actor that records the items that it gets, and sends items to others. */
final class Keeper extends DurableStateActor<Keeper.Box, Keeper.Kept> {
  private final Mood mood;

  sealed interface Box permits Item, Send, Show {}

  record Item(int n, String text) implements Box {}

  /** Sends items of those sizes in one turn, numbered from {@code from} on. */
  record Send(String to, int from, List<Integer> sizes) implements Box {}

  record Show() implements Box {}

  record Entry(int n, int chars, int hash) {
    static Entry of(Item item) {
      return new Entry(item.n(), item.text().length(), item.text().hashCode());
    }
  }

  record Kept(List<Entry> entries) {}

  /** Switch that makes it refuse items. */
  static final class Mood {
    private volatile boolean bad;

    void bad(boolean value) {
      bad = value;
    }
  }

  Keeper(Mood mood) {
    this.mood = mood;
  }

  @Override
  protected Kept initial() {
    return new Kept(List.of());
  }

  @Override
  protected void protocol(Protocol<Box> on) {
    on.message(Item.class, this::keep);
    on.message(Send.class, this::send);
    on.message(Show.class, show -> reply(state()));
  }

  private void keep(Item item) {
    if (mood.bad) {
      throw new IllegalStateException("no item " + item.n());
    }
    List<Entry> entries = new ArrayList<>(state().entries());
    entries.add(Entry.of(item));
    update(new Kept(entries));
  }

  private void send(Send send) {
    var to = callboard().durableRef(send.to(), Box.class);
    for (int i = 0; i < send.sizes().size(); i++) {
      tell(to, LargeMessageTck.item(send.from() + i, send.sizes().get(i)));
    }
  }
}
