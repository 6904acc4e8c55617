package io.callboard.archive;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.EventUpcaster;
import io.callboard.codecs.Named;
import io.callboard.feed.Feeds;
import io.callboard.journal.FeedEvent;
import io.callboard.testkit.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Events that older code wrote, read by projections. */
abstract class UpcastCases extends RestoreCases {
  // Since version 2 of the application an exchange is two events.

  @Named("change")
  sealed interface Change {
    @Named("took")
    record Took(int amount) implements Change {}

    @Named("gave")
    record Gave(int amount) implements Change {}
  }

  @Named("exchanged")
  record Exchanged(int out, int in) {}

  @Named("exchange")
  record Exchange(int out, int in) {}

  /** Version 1. */
  static final class OldBureau extends PersistentActor<Exchange, Exchanged, Sum> {
    @Override
    protected Sum initial() {
      return new Sum(0);
    }

    @Override
    protected Sum apply(Sum sum, Exchanged event) {
      return new Sum(sum.total() - event.out() + event.in());
    }

    @Override
    protected Set<String> tags(Exchanged event) {
      return Set.of("bureau");
    }

    @Override
    protected void protocol(Protocol<Exchange> on) {
      on.message(Exchange.class, exchange -> persist(new Exchanged(exchange.out(), exchange.in())));
    }
  }

  /** Version 2. */
  static final class Bureau extends PersistentActor<Exchange, Change, Sum> {
    @Override
    protected Sum initial() {
      return new Sum(0);
    }

    @Override
    protected Sum apply(Sum sum, Change event) {
      return new Sum(
          event instanceof Change.Took took
              ? sum.total() - took.amount()
              : sum.total() + ((Change.Gave) event).amount());
    }

    @Override
    protected Optional<EventUpcaster> upcaster() {
      return Optional.of(
          (event, next) -> {
            if (event.is("exchanged")) {
              for (String part : List.of("took", "gave")) {
                ObjectNode body = event.body().objectNode();
                body.set("amount", event.body().get(part.equals("took") ? "out" : "in"));
                next.accept(event.as(part, 1, body));
              }
            } else {
              next.accept(event);
            }
          });
    }

    @Override
    protected Set<String> tags(Change event) {
      return Set.of("bureau");
    }

    @Override
    protected void protocol(Protocol<Exchange> on) {
      on.message(
          Exchange.class,
          exchange -> {
            persist(new Change.Took(exchange.out()));
            persist(new Change.Gave(exchange.in()));
          });
    }
  }

  /** Projection that sums up what was taken, by item. */
  static final class Taken implements Projection {
    final List<Change> seen = new CopyOnWriteArrayList<>();
    private volatile boolean upcasts = true;

    @Override
    public String name() {
      return "taken";
    }

    @Override
    public String feed() {
      return "bureau";
    }

    @Override
    public void apply(Connection connection, FeedEvent feedEvent) {
      if (upcasts) {
        seen.addAll(feedEvent.events(Bureau::new));
      } else {
        seen.add(feedEvent.event(Change.class));
      }
    }

    @Override
    public void reset(Connection connection) {
      seen.clear();
    }
  }

  @Test
  void aProjectionReadsOldEventsThroughTheUpcasterOfTheirActor() throws Exception {
    await(Feeds.host(callboard, archive.sink()));
    await(callboard.spawn("/bureau", OldBureau::new));
    await(callboard.durableRef("/bureau", Exchange.class).tell(new Exchange(3, 5)));
    Eventually.assertThat(() -> assertThat(read("bureau")).hasSize(1));
    await(callboard.stop("/bureau"));
    await(callboard.spawn("/bureau", Bureau::new));
    await(callboard.durableRef("/bureau", Exchange.class).tell(new Exchange(10, 20)));
    List<Change> all =
        List.of(new Change.Took(3), new Change.Gave(5), new Change.Took(10), new Change.Gave(20));
    Taken taken = new Taken();
    await(archive.project(callboard, taken));
    Eventually.assertThat(() -> assertThat(taken.seen).isEqualTo(all));
    await(archive.rebuild(taken));
    Eventually.assertThat(() -> assertThat(taken.seen).isEqualTo(all));
  }

  @Test
  void aRebuildThatCannotReadTheFirstEventsLeavesTheTablesAsTheyWere() throws Exception {
    host();
    Pots pots = new Pots();
    await(archive.project(callboard, pots));
    put("a", 1, 4);
    Eventually.assertThat(() -> assertThat(totals()).containsEntry("/pots/a", 10));
    Projection blind =
        new Projection() {
          @Override
          public String name() {
            return pots.name();
          }

          @Override
          public String feed() {
            return pots.feed();
          }

          @Override
          public void apply(Connection connection, FeedEvent event) {
            var unused = event.event(Change.class);
          }

          @Override
          public void reset(Connection connection) throws SQLException {
            pots.reset(connection);
          }
        };
    assertThatThrownBy(() -> await(archive.rebuild(blind)))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("has no event \"added\"")
        .hasMessageContaining("events(");
    assertThat(totals()).isEqualTo(Map.of("/pots/a", 10));
    assertThat(await(archive.status("pots")).position()).isEqualTo(4);
  }
}
