package io.callboard.examples.reference;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.codecs.EventUpcaster;
import io.callboard.codecs.Named;
import io.callboard.codecs.OldEvent;
import io.callboard.codecs.Upcast;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Event-sourced actor that lends costumes, and knows from its events who has borrowed which. */
public final class Wardrobe
    extends PersistentActor<Wardrobe.Command, Wardrobe.Event, Wardrobe.Lendings> {
  /** Command of an actor who borrows costumes. */
  public sealed interface Command {
    /** Answered with the {@link Lendings}, or refused. */
    record Lend(String costume, String to) implements Command {}

    /** Returns everything that one actor has borrowed. */
    record ReturnAll(String from) implements Command {}

    /** End of the season. */
    record Dissolve() implements Command {}
  }

  /** Event of the wardrobe. */
  public sealed interface Event {
    /** A costume is out. */
    @Named(value = "lent", version = 2)
    record Lent(String costume, String to, int days) implements Event {
      @Upcast(from = 1)
      static ObjectNode forAWeek(ObjectNode old) {
        return old.put("days", 7); // before version 2 it was always a week
      }
    }

    /** Return of a costume. */
    record Returned(String costume) implements Event {}
  }

  /** Borrower of each lent costume. */
  public record Lendings(Map<String, String> byCostume) {
    Lendings with(String costume, String to) {
      Map<String, String> next = new HashMap<>(byCostume);
      next.put(costume, to);
      return new Lendings(Map.copyOf(next));
    }

    Lendings without(String costume) {
      Map<String, String> next = new HashMap<>(byCostume);
      next.remove(costume);
      return new Lendings(Map.copyOf(next));
    }
  }

  @Override
  protected Lendings initial() {
    return new Lendings(Map.of());
  }

  @Override
  protected Lendings apply(Lendings lendings, Event event) {
    if (event instanceof Event.Lent lent) {
      return lendings.with(lent.costume(), lent.to());
    }
    return lendings.without(((Event.Returned) event).costume());
  }

  @Override
  protected void protocol(Protocol<Command> on) {
    on.message(Command.Lend.class, this::lend)
        .message(Command.ReturnAll.class, this::returnAll)
        .message(Command.Dissolve.class, dissolve -> deleteSelf());
  }

  private void lend(Command.Lend lend) {
    if (!state().byCostume().containsKey(lend.costume())) {
      persist(new Event.Lent(lend.costume(), lend.to(), 14));
    }
    reply(state());
  }

  private void returnAll(Command.ReturnAll back) {
    persistAll(
        state().byCostume().entrySet().stream()
            .filter(lent -> lent.getValue().equals(back.from()))
            .map(lent -> new Event.Returned(lent.getKey()))
            .toList());
    reply(state());
  }

  @Override
  protected boolean snapshotWhen(Lendings lendings, Event event) {
    return lendings.byCostume().isEmpty();
  }

  @Override
  public int foldVersion() {
    return 2; // the first counted a costume that was returned twice
  }

  @Override
  protected Optional<EventUpcaster> upcaster() {
    return Optional.of(new Exchanges());
  }

  /** An exchange was one event once; today it is a return, and a lending. */
  private static final class Exchanges implements EventUpcaster {
    @Override
    public void upcast(OldEvent event, Consumer<OldEvent> next) {
      if (event.is("exchanged")) {
        String to = event.body().get("to").asText();
        next.accept(event.as("returned", 1, costume(event, "given")));
        next.accept(event.as("lent", 1, costume(event, "taken").put("to", to)));
      } else {
        next.accept(event);
      }
    }

    @Override
    public Set<String> gone() {
      return Set.of("exchanged");
    }

    private static ObjectNode costume(OldEvent event, String field) {
      ObjectNode body = event.body().objectNode();
      return body.put("costume", event.body().get(field).asText());
    }
  }
}
