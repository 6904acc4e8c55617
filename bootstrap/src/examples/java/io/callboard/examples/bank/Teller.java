package io.callboard.examples.bank;

import io.callboard.Callboard;
import io.callboard.examples.bank.BankAccount.Answer;
import io.callboard.examples.bank.BankAccount.Command;
import io.vertx.core.Vertx;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Orders one transfer after the other, for as long as its process lives. */
final class Teller {
  private static final Logger log = LoggerFactory.getLogger(Teller.class);
  private static final int MOST_CENTS = 30_000;
  private static final long PAUSE_MS = 100;

  private final Vertx vertx;
  private final Callboard callboard;
  private final int accounts;
  private final RandomGenerator random;

  Teller(Vertx vertx, Callboard callboard, int accounts, RandomGenerator random) {
    this.vertx = vertx;
    this.callboard = callboard;
    this.accounts = accounts;
    this.random = random;
  }

  void begin() {
    int from = random.nextInt(accounts);
    int to = (from + 1 + random.nextInt(accounts - 1)) % accounts;
    Command transfer =
        new Command.Transfer(
            UUID.randomUUID().toString(), Integer.toString(to), 1 + random.nextInt(MOST_CENTS));
    BankAccount.ref(callboard, Integer.toString(from))
        .ask(transfer, Answer.class)
        .onSuccess(answer -> begin())
        .onFailure(
            cause -> {
              // it may have happened or not; the books know
              log.debug("no answer: {}", cause.getMessage());
              vertx.setTimer(PAUSE_MS, id -> begin());
            });
  }
}
