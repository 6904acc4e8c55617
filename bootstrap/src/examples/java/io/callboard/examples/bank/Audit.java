package io.callboard.examples.bank;

import io.callboard.Callboard;
import io.callboard.archive.Archive;
import io.callboard.archive.ProjectionStatus;
import io.callboard.examples.bank.BankAccount.Balance;
import io.callboard.examples.bank.BankAccount.Command;
import io.callboard.journal.FeedEvent;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Audits the bank while no transfers are ordered: compares the balance of each account with what
 * the archive computes from its history. Run like {@link Branch}, with the same keys; logs its
 * result in one line.
 */
public final class Audit extends VerticleBase {
  private static final Logger log = LoggerFactory.getLogger(Audit.class);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long LOOK_MS = 200;
  private static final int AT_ONCE = 20;

  /** Rounds over all accounts at most, until no transfer is under way. */
  private static final int MOST_LOOKS = 10;

  private static final Instant END = Instant.parse("9999-01-01T00:00:00Z");

  private @Nullable Archive archive;
  private long sum;
  private long events;
  private long eventsBefore;
  private int inTransit;
  private int unexplained;
  private int looks;

  @Override
  public Future<?> start() {
    JsonObject config = config();
    int accounts = config.getInteger("accounts", 1_000);
    Callboard callboard = Callboard.of(vertx);
    return Archive.open(vertx, config.getString("archive"))
        .compose(
            opened -> {
              archive = opened;
              return settled(callboard, opened, accounts);
            })
        .onSuccess(
            v ->
                log.info(
                    "audited {} accounts: sum {} of {}, {} transfers on their way, {} events, {} balances unexplained",
                    accounts,
                    sum,
                    accounts * Branch.FIRST_CENTS,
                    inTransit,
                    events,
                    unexplained));
  }

  /**
   * Waits until no money is under way and the archive is complete, or the maximum number of looks
   * was made. A look takes time, and money may move from accounts not seen yet to accounts already
   * seen: a look counts only if nothing has happened since the one before it.
   */
  private Future<Void> settled(Callboard callboard, Archive opened, int accounts) {
    eventsBefore = events;
    sum = 0;
    events = 0;
    inTransit = 0;
    unexplained = 0;
    return accounts(callboard, opened, 0, accounts)
        .compose(v -> opened.status(new Balances().name()))
        .compose(
            (ProjectionStatus status) ->
                (isStill() && status.lag() == 0) || ++looks >= MOST_LOOKS
                    ? Future.succeededFuture()
                    : later(callboard, opened, accounts));
  }

  private boolean isStill() {
    return inTransit == 0 && unexplained == 0 && events == eventsBefore;
  }

  private Future<Void> later(Callboard callboard, Archive opened, int accounts) {
    log.info(
        "{} on their way, {} unexplained, {} events since the look before: once more",
        inTransit,
        unexplained,
        events - eventsBefore);
    return vertx.timer(LOOK_MS).compose(v -> settled(callboard, opened, accounts));
  }

  private Future<Void> accounts(Callboard callboard, Archive opened, int from, int accounts) {
    if (from >= accounts) {
      return Future.succeededFuture();
    }
    List<Future<?>> some = new ArrayList<>();
    for (int i = from; i < Math.min(accounts, from + AT_ONCE); i++) {
      some.add(account(callboard, opened, i));
    }
    return Future.all(some).compose(v -> accounts(callboard, opened, from + AT_ONCE, accounts));
  }

  private Future<Boolean> account(Callboard callboard, Archive opened, int number) {
    String path = "/bank/" + number;
    return BankAccount.ref(callboard, Integer.toString(number))
        .ask(new Command.Look(), Balance.class, PATIENCE)
        .compose(
            balance ->
                opened
                    .stateAsOf(path, BankAccount::new, END)
                    .compose(told -> count(opened, path, 0).map(v -> told))
                    .map(told -> compare(path, balance, told)));
  }

  private boolean compare(String path, Balance balance, Balance told) {
    sum += balance.cents();
    inTransit += balance.sent().size();
    boolean same = balance.equals(told);
    if (!same) {
      unexplained++;
      log.info("{} is {}, and {} by its history", path, balance, told);
    }
    return same;
  }

  private Future<Void> count(Archive opened, String path, long after) {
    return opened
        .history(path, after, Archive.MOST_EVENTS)
        .compose(
            (List<FeedEvent> page) -> {
              events += page.size();
              return page.size() < Archive.MOST_EVENTS
                  ? Future.succeededFuture()
                  : count(opened, path, page.get(page.size() - 1).position());
            });
  }

  @Override
  public Future<?> stop() {
    return archive == null ? Future.succeededFuture() : archive.close();
  }
}
