package io.callboard.bench;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Peers: plain consumers of the clustered event bus on the same two nodes. Bodies are bytes, the
 * same ones each time, or the fields of a message as JSON.
 */
final class BusPeers {
  private static final String SINK = "bench.sink";
  private static final String JSON_SINK = "bench.json-sink";
  private static final String ACKNOWLEDGED = "bench.acknowledged";
  private static final String ECHO = "bench.echo";
  private static final int BURSTS = 20;
  private static final int BURST = 100;
  private static final int REQUESTS = 1_000;
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final EventBus bus;
  private final Context context;
  private final LongAdder acknowledged = new LongAdder();
  private final LongAdder retired = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private Buffer body = Buffer.buffer();
  private @Nullable String text;
  private long number;
  private long expected;
  private volatile boolean running;

  BusPeers(Vertx vertx) throws Exception {
    bus = vertx.eventBus();
    context = vertx.getOrCreateContext();
    registered(vertx, () -> bus.<Integer>consumer(ACKNOWLEDGED, this::acknowledged).completion());
  }

  private interface Registration {
    Future<Void> register();
  }

  /** Registers on an event loop, where the handler then runs. */
  private static void registered(Vertx vertx, Registration registration) throws Exception {
    io.vertx.core.Promise<Void> done = io.vertx.core.Promise.promise();
    vertx.getOrCreateContext().runOnContext(v -> registration.register().onComplete(done));
    Node.await(done.future());
  }

  /** Registers the receivers, at the other end. */
  static void receive(Vertx vertx) throws Exception {
    EventBus bus = vertx.eventBus();
    sink(vertx, SINK, (Buffer body) -> body.length());
    sink(vertx, JSON_SINK, (JsonObject json) -> json.getLong("number", 0L));
    registered(
        vertx, () -> bus.<Buffer>consumer(ECHO, message -> message.reply(BURST)).completion());
  }

  /** Acknowledges each burst; {@code read} is what it does with a message. */
  private static <T> void sink(Vertx vertx, String address, ToLongFunction<T> read)
      throws Exception {
    EventBus bus = vertx.eventBus();
    long[] seen = {0, 0};
    registered(
        vertx,
        () ->
            bus.<T>consumer(
                    address,
                    message -> {
                      if (message.replyAddress() != null) {
                        message.reply(0); // hello
                        return;
                      }
                      seen[1] += read.applyAsLong(message.body());
                      if (++seen[0] % BURST == 0) {
                        bus.send(ACKNOWLEDGED, BURST);
                      }
                    })
                .completion());
  }

  /** Waits until the other end can be reached. */
  void meet() throws Exception {
    for (String address : new String[] {SINK, JSON_SINK, ECHO}) {
      Load.await(address, LIMIT, () -> answers(address));
    }
  }

  private boolean answers(String address) {
    try {
      bus.request(address, address.equals(JSON_SINK) ? new JsonObject() : Buffer.buffer())
          .await(2, TimeUnit.SECONDS);
      return true;
    } catch (Throwable e) {
      return false; // not known here yet
    }
  }

  private void acknowledged(Message<Integer> burst) {
    acknowledged.add(burst.body());
    if (running) {
      burst();
    } else {
      retired.increment();
    }
  }

  private void burst() {
    for (int i = 0; i < BURST; i++) {
      if (text == null) {
        bus.send(SINK, body);
      } else {
        JsonObject json = new JsonObject();
        json.put("number", number++).put("endsBurst", i == BURST - 1).put("body", text);
        bus.send(JSON_SINK, json);
      }
    }
  }

  private void ask() {
    bus.request(ECHO, body)
        .onComplete(
            answer -> {
              if (answer.failed()) {
                failed.increment();
              }
              acknowledged.increment();
              if (running) {
                ask();
              } else {
                retired.increment();
              }
            });
  }

  /** Returns a load of one-way messages, {@value #BURST} acknowledged at once. */
  Load send(int bytes) {
    return new BusLoad(bytes, BURSTS, null, this::burst);
  }

  /** Returns a load of one-way messages whose fields are JSON, written and read for each. */
  Load sendJson(int bytes) {
    return new BusLoad(bytes, BURSTS, "x".repeat(bytes), this::burst);
  }

  /** Returns a load of requests, {@value #REQUESTS} under way. */
  Load request(int bytes) {
    return new BusLoad(bytes, REQUESTS, null, this::ask);
  }

  private final class BusLoad implements Load {
    private final Buffer mine;
    private final int underWay;
    private final @Nullable String myText;
    private final Runnable first;

    BusLoad(int bytes, int underWay, @Nullable String text, Runnable first) {
      this.myText = text;
      this.mine = Buffer.buffer(new byte[bytes]);
      this.underWay = underWay;
      this.first = first;
    }

    @Override
    public void start() {
      running = true;
      expected += underWay;
      context.runOnContext(
          v -> {
            body = mine;
            text = myText;
            for (int i = 0; i < underWay; i++) {
              first.run();
            }
          });
    }

    @Override
    public long done() {
      return acknowledged.sum();
    }

    @Override
    public void stop() throws Exception {
      running = false;
      Load.await("every message acknowledged", LIMIT, () -> retired.sum() == expected);
      if (failed.sum() > 0) {
        throw new IllegalStateException(failed.sum() + " requests failed");
      }
    }
  }
}
