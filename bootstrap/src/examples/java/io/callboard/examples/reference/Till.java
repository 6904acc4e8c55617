package io.callboard.examples.reference;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Actor that sells tickets and charges cards at a bank: three ways to act on the outside world. */
public final class Till extends PersistentActor<Till.Command, Till.Event, Till.Sales> {
  private static final Logger log = LoggerFactory.getLogger(Till.class);

  /** The commands. */
  public sealed interface Command {
    /** The card is charged by a delivery, until the bank has answered: at least once. */
    record Sell(String ticket, long cents) implements Command {}

    /** The card is charged before the sale is stored: at least once. */
    record SellPaid(String ticket, long cents) implements Command {}

    /** The card is charged after the sale is stored: at most once. */
    record SellOnTrust(String ticket, long cents) implements Command {}

    /** The bank has charged the card, or refuses to. */
    record Answered(long id, String ticket, boolean paid) implements Command {}

    /** Asks for the sales. */
    record Look() implements Command {}
  }

  /** Event of a till. */
  public sealed interface Event {
    /** A ticket has a buyer. */
    record Sold(String ticket, long cents) implements Event {}

    /** The money for it is there, or will not come. */
    record Settled(String ticket, boolean paid) implements Event {}
  }

  /** State of each ticket. */
  public record Sales(Map<String, String> byTicket) {
    Sales with(String ticket, String what) {
      Map<String, String> next = new TreeMap<>(byTicket);
      next.put(ticket, what);
      return new Sales(next);
    }
  }

  /** A card is to be charged. */
  public record Charge(long id, String ticket, long cents) {}

  /** The bank, on the other side of the network. */
  public record Bank(WebClient client, String url) {
    /** Charges the card; returns whether it was charged. A repeated key charges it only once. */
    Future<Boolean> charge(String key, long cents) {
      return client
          .postAbs(url)
          .putHeader("Idempotency-Key", key)
          .sendBuffer(Buffer.buffer(Long.toString(cents)))
          .compose(Bank::answer);
    }

    private static Future<Boolean> answer(HttpResponse<Buffer> response) {
      return response.statusCode() >= 500
          ? Future.failedFuture("the bank says " + response.statusCode())
          : Future.succeededFuture(response.statusCode() == 200);
    }
  }

  /** Charges cards for the till, each as often as it is asked to. */
  public static final class Cashier extends Actor<Charge> {
    private final Bank bank;

    public Cashier(Bank bank) {
      this.bank = bank;
    }

    @Override
    protected void protocol(Protocol<Charge> on) {
      on.async(
          Charge.class,
          charge ->
              bank.charge(charge.ticket(), charge.cents())
                  .map(paid -> new Command.Answered(charge.id(), charge.ticket(), paid))
                  .map(
                      answer -> {
                        reply(answer);
                        return answer;
                      })
                  .otherwise(
                      cause -> {
                        log.info("{} is charged later: {}", charge.ticket(), cause.getMessage());
                        return null; // no answer: the charge is delivered again
                      }));
    }
  }

  private final Bank bank;

  public Till(Bank bank) {
    this.bank = bank;
  }

  @Override
  protected Sales initial() {
    return new Sales(Map.of());
  }

  @Override
  protected Sales apply(Sales sales, Event event) {
    if (event instanceof Event.Sold sold) {
      return sales.with(sold.ticket(), "sold");
    }
    Event.Settled settled = (Event.Settled) event;
    return sales.with(settled.ticket(), settled.paid() ? "paid" : "refused");
  }

  @Override
  protected void protocol(Protocol<Command> on) {
    on.message(Command.Sell.class, this::sell)
        .message(Command.Answered.class, this::answered)
        .async(Command.SellPaid.class, this::sellPaid)
        .message(Command.SellOnTrust.class, this::sellOnTrust)
        .query(Command.Look.class, look -> state());
  }

  private void sell(Command.Sell sale) {
    ActorRef<Charge> cashier = callboard().ref("/cashier", Charge.class);
    persist(new Event.Sold(sale.ticket(), sale.cents()));
    deliver(cashier, id -> new Charge(id, sale.ticket(), sale.cents()));
  }

  private void answered(Command.Answered answered) {
    if (confirm(answered.id())) {
      persist(new Event.Settled(answered.ticket(), answered.paid()));
    }
  }

  private Future<?> sellPaid(Command.SellPaid sale) {
    return bank.charge(sale.ticket(), sale.cents())
        .map(
            paid -> {
              persist(new Event.Sold(sale.ticket(), sale.cents()));
              persist(new Event.Settled(sale.ticket(), paid));
              return paid;
            });
  }

  private void sellOnTrust(Command.SellOnTrust sale) {
    persist(new Event.Sold(sale.ticket(), sale.cents()));
    afterCommit(
        () ->
            bank.charge(sale.ticket(), sale.cents())
                .onFailure(cause -> log.warn("{} may never be paid", sale.ticket(), cause)));
  }
}
