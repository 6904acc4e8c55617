package io.callboard.examples.bank;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.codecs.Named;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * An event-sourced bank account. A transfer is a saga of two: the money leaves here and is offered
 * there, in one turn; there it is taken or declined; what is declined comes back. Each step is a
 * turn, so no step is lost or done twice, and nobody coordinates.
 */
public final class BankAccount
    extends PersistentActor<BankAccount.Command, BankAccount.Event, BankAccount.Balance> {
  /** The feed of all events of all accounts. */
  public static final String FEED = "bank";

  /** Maximum balance of an account; a deposit that would exceed it is declined. */
  static final long MOST_CENTS = 150_000;

  /** The commands. */
  @Named("bank-command")
  public sealed interface Command {
    /** Begins the account, once. */
    @Named("bank-open")
    record Open(long cents) implements Command {}

    /** Moves money; answered with {@link Answer}, when it has left. */
    @Named("bank-transfer")
    record Transfer(String id, String to, long cents) implements Command {}

    /** Money from another account. */
    @Named("bank-offer")
    record Offer(String id, String from, long cents) implements Command {}

    /** The other account has it, or not. */
    @Named("bank-settled")
    record Settled(String id, boolean taken) implements Command {}

    /** Answered with the {@link Balance}. */
    @Named("bank-look")
    record Look() implements Command {}
  }

  /** Event of an account. */
  @Named("bank-event")
  public sealed interface Event {
    /** The account exists. */
    @Named("bank-opened")
    record Opened(long cents) implements Event {}

    /** Money has left for another account. */
    @Named("bank-sent")
    record Sent(String id, String to, long cents) implements Event {}

    /** Money has come. */
    @Named("bank-received")
    record Received(String id, String from, long cents) implements Event {}

    /** Acceptance of the money by the other account. */
    @Named("bank-arrived")
    record Arrived(String id) implements Event {}

    /** Return of the money of a declined transfer. */
    @Named("bank-returned")
    record Returned(String id, long cents) implements Event {}
  }

  /**
   * The state.
   *
   * @param sent what has left and is neither there nor back, by transfer
   */
  @Named("bank-balance")
  public record Balance(boolean open, long cents, Map<String, Long> sent) {
    Balance after(Event event) {
      if (event instanceof Event.Opened opened) {
        return new Balance(true, opened.cents(), sent);
      } else if (event instanceof Event.Sent out) {
        Map<String, Long> more = new TreeMap<>(sent);
        more.put(out.id(), out.cents());
        return new Balance(open, cents - out.cents(), more);
      } else if (event instanceof Event.Received in) {
        return new Balance(open, cents + in.cents(), sent);
      } else if (event instanceof Event.Returned back) {
        return new Balance(open, cents + back.cents(), without(back.id()));
      }
      return new Balance(open, cents, without(((Event.Arrived) event).id()));
    }

    private Map<String, Long> without(String id) {
      Map<String, Long> less = new TreeMap<>(sent);
      less.remove(id);
      return less;
    }
  }

  /** Answer to a transfer. */
  @Named("bank-answer")
  public record Answer(boolean sent) {}

  /** Returns a ref to the account of that number. */
  static ActorRef<Command> ref(Callboard callboard, String number) {
    return callboard.durableRef("/bank/" + number, Command.class);
  }

  @Override
  protected Balance initial() {
    return new Balance(false, 0, Map.of());
  }

  @Override
  protected Balance apply(Balance balance, Event event) {
    return balance.after(event);
  }

  @Override
  protected Set<String> tags(Event event) {
    return Set.of(FEED);
  }

  @Override
  protected void protocol(Protocol<Command> on) {
    on.message(Command.Open.class, this::open)
        .message(Command.Transfer.class, this::transfer)
        .message(Command.Offer.class, this::offer)
        .message(Command.Settled.class, this::settled)
        .query(Command.Look.class, look -> state());
  }

  private void open(Command.Open wish) {
    if (!state().open()) {
      persist(new Event.Opened(wish.cents()));
    }
    reply(state());
  }

  private void transfer(Command.Transfer wish) {
    boolean can =
        wish.cents() > 0
            && wish.cents() <= state().cents()
            && !wish.to().equals(path().name())
            && !state().sent().containsKey(wish.id());
    if (can) {
      persist(new Event.Sent(wish.id(), wish.to(), wish.cents()));
      tell(ref(callboard(), wish.to()), new Command.Offer(wish.id(), path().name(), wish.cents()));
    }
    reply(new Answer(can));
  }

  private void offer(Command.Offer offer) {
    boolean takes = state().open() && state().cents() + offer.cents() <= MOST_CENTS;
    if (takes) {
      persist(new Event.Received(offer.id(), offer.from(), offer.cents()));
    }
    tell(ref(callboard(), offer.from()), new Command.Settled(offer.id(), takes));
  }

  private void settled(Command.Settled settled) {
    Long cents = state().sent().get(settled.id());
    if (cents != null) {
      persist(
          settled.taken()
              ? new Event.Arrived(settled.id())
              : new Event.Returned(settled.id(), cents));
    }
  }
}
