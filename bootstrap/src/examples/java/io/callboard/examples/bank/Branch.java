package io.callboard.examples.bank;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.archive.Archive;
import io.callboard.feed.Feeds;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Branch of a bank whose books show at every moment that no money was lost or created, although
 * branches crash.
 *
 * <p>A branch runs accounts, keeps the table of balances, and its tellers move money between random
 * accounts. Start a node without an archive ({@code bootstrap/bin/callboard --archive none}), and
 * some branches with {@code vertx run io.callboard.examples.bank.Branch -cluster -conf
 * '{"zookeeper":"127.0.0.1:2181","archive":"jdbc:postgresql:…"}'}; {@link Audit} checks the books.
 * More keys: {@code accounts} (1,000) and {@code tellers} (20).
 */
public final class Branch extends VerticleBase {
  /** Cents of each account when it is opened. */
  static final long FIRST_CENTS = 100_000;

  private static final Logger log = LoggerFactory.getLogger(Branch.class);
  private static final int OPENED_AT_ONCE = 50;
  private static final long PAUSE_MS = 1_000;

  private @Nullable Archive archive;

  @Override
  public Future<?> start() {
    Callboard callboard = Callboard.of(vertx);
    JsonObject config = config();
    int accounts = config.getInteger("accounts", 1_000);
    return Archive.open(vertx, config.getString("archive"))
        .compose(opened -> serve(callboard, opened))
        .compose(v -> open(callboard, 0, accounts))
        .onSuccess(
            v -> {
              log.info("{} accounts are open", accounts);
              tellers(callboard, accounts, config.getInteger("tellers", 20));
            });
  }

  private Future<Void> serve(Callboard callboard, Archive opened) {
    archive = opened;
    ActorOptions options = new ActorOptions().archived(true);
    return Feeds.host(callboard, opened.sink())
        .compose(v -> callboard.host("/bank", BankAccount::new, options))
        .compose(v -> opened.project(callboard, new Balances()));
  }

  /** Goes on until all answer: the cell may be starting. */
  private Future<Void> open(Callboard callboard, int from, int accounts) {
    if (from >= accounts) {
      return Future.succeededFuture();
    }
    List<Future<?>> some = new ArrayList<>();
    for (int i = from; i < Math.min(accounts, from + OPENED_AT_ONCE); i++) {
      some.add(
          BankAccount.ref(callboard, Integer.toString(i))
              .ask(new BankAccount.Command.Open(FIRST_CENTS), BankAccount.Balance.class));
    }
    return Future.join(some)
        .transform(
            done -> {
              if (done.failed()) {
                log.info("some accounts do not answer: {}", done.cause().getMessage());
                return vertx.timer(PAUSE_MS).compose(v -> open(callboard, from, accounts));
              }
              return open(callboard, from + OPENED_AT_ONCE, accounts);
            });
  }

  private void tellers(Callboard callboard, int accounts, int count) {
    SplittableRandom seeds = new SplittableRandom(callboard.random().nextLong());
    for (int i = 0; i < count; i++) {
      new Teller(vertx, callboard, accounts, seeds.split()).begin();
    }
  }

  @Override
  public Future<?> stop() {
    return archive == null ? Future.succeededFuture() : archive.close();
  }
}
