package io.callboard.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.RecoveryCompleted;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.apache.pekko.persistence.typed.javadsl.SignalHandler;

/**
 * Pekko's event-sourced behaviors, each of whose commands leads to some events of 100 characters.
 */
final class PekkoWriters extends Unanswered {
  private static final long LIMIT_SECONDS = 60;

  private final List<ActorRef<Write>> actors = new ArrayList<>();
  private final List<String> events;

  /** Persists the events, then runs that. */
  record Write(Runnable done) {}

  /**
   * @param path of the actors' ids, new in this journal
   */
  PekkoWriters(Pekko pekko, String path, int actors, int most, int events) throws Exception {
    super(most, events);
    this.events = Collections.nCopies(events, Writers.TEXT);
    for (int i = 0; i < actors; i++) {
      CompletableFuture<Long> recovered = new CompletableFuture<>();
      this.actors.add(pekko.spawn(new Writer(path + "-" + i, this.events, recovered)));
      long unused = recovered.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** Writer whose state is the number of events. */
  static final class Writer extends EventSourcedBehavior<Write, String, Long> {
    private final List<String> events;
    private final CompletableFuture<Long> recovered;

    /**
     * @param recovered told the number of its events when they are replayed
     */
    Writer(String id, List<String> events, CompletableFuture<Long> recovered) {
      super(PersistenceId.ofUniqueId(id));
      this.events = events;
      this.recovered = recovered;
    }

    @Override
    public Long emptyState() {
      return 0L;
    }

    @Override
    public CommandHandler<Write, String, Long> commandHandler() {
      return newCommandHandlerBuilder()
          .forAnyState()
          .onCommand(
              Write.class,
              (count, write) -> Effect().persist(events).thenRun(state -> write.done().run()))
          .build();
    }

    @Override
    public EventHandler<Long, String> eventHandler() {
      return (count, event) -> count + 1;
    }

    @Override
    public SignalHandler<Long> signalHandler() {
      return newSignalHandlerBuilder()
          .onSignal(RecoveryCompleted.instance(), recovered::complete)
          .build();
    }
  }

  @Override
  void send(long number) {
    actors.get((int) (number % actors.size())).tell(new Write(this::answered));
  }
}
