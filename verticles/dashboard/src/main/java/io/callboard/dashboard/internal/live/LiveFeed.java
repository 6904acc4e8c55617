package io.callboard.dashboard.internal.live;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.dashboard.internal.contract.Caller;
import io.callboard.jobs.Jobs;
import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feed of changes to WebSocket clients, once a tick. Without a client there is no timer and nothing
 * is read.
 *
 * <p>All of it runs on one context of its own; sockets may belong to others.
 */
public final class LiveFeed {
  /** Maximum number of simultaneous clients. */
  public static final int MOST_CLIENTS = 200;

  private static final Logger log = LoggerFactory.getLogger(LiveFeed.class);
  private static final int WRITE_QUEUE_BYTES = 64 * 1024;
  private static final short GOING_AWAY = 1001;
  private static final short LOGGED_OUT = 4401;

  private final Time time;
  private final Context context;
  private final Topics topics;
  private final Optional<Jobs> jobs;
  private final Clock clock;
  private final Duration tick;
  private final String welcome;
  private final AtomicInteger clients = new AtomicInteger();
  private final Map<ServerWebSocket, ClientSession> sessions = new LinkedHashMap<>();
  private final Map<ServerWebSocket, Caller> callers = new LinkedHashMap<>();
  private final Views views;
  private long ticks;
  private Time.@Nullable Alarm next;
  private boolean closed;
  private long revision = -1;

  /**
   * Creates the feed.
   *
   * @param workflows whether the node has a workflow engine
   * @param sources whether the node takes part in sources
   * @param node name of the node, sent to clients as are {@code cell} and {@code version}
   */
  public LiveFeed(
      Vertx vertx,
      Time time,
      Topics topics,
      Optional<Jobs> jobs,
      boolean workflows,
      boolean sources,
      Clock clock,
      Duration tick,
      String node,
      String cell,
      String version) {
    this.time = time;
    this.context = vertx.getOrCreateContext();
    this.views = new Views(context, this::changed);
    this.topics = topics;
    this.jobs = jobs;
    this.clock = clock;
    this.tick = tick;
    this.welcome =
        Frames.welcome(node, cell, version, tick.toMillis(), jobs.isPresent(), workflows, sources);
  }

  /**
   * Reserves a place for a client, which {@link #accept} or {@link #leave} must follow.
   *
   * @return false if there is none
   */
  public boolean enter() {
    return clients.getAndUpdate(now -> Math.min(now + 1, MOST_CLIENTS)) < MOST_CLIENTS;
  }

  /** Gives back the place of a client. */
  public void leave() {
    clients.decrementAndGet();
  }

  /**
   * Serves a client that has a place, until it leaves or its session ends. Called on the socket's
   * context.
   *
   * @param caller whose socket it is
   */
  public void accept(ServerWebSocket socket, Caller caller) {
    try {
      listen(socket);
    } catch (IllegalStateException e) {
      log.debug("a dashboard client has disconnected before it was served", e);
      leave();
      return;
    }
    context.runOnContext(v -> add(socket, caller));
  }

  /** Sets the handlers of a socket; that of its end last, so that it has all of them or none. */
  private void listen(ServerWebSocket socket) {
    socket.setWriteQueueMaxSize(WRITE_QUEUE_BYTES);
    socket.textMessageHandler(text -> receive(socket, session -> session.receive(text)));
    socket.binaryMessageHandler(bytes -> receive(socket, ClientSession::receiveBinary));
    socket.pongHandler(
        bytes ->
            receive(
                socket,
                session -> {
                  session.pong();
                  return List.of();
                }));
    socket.frameHandler(
        frame -> {
          if (frame.isPing()) {
            receive(socket, ClientSession::receivePing);
          }
        });
    socket.exceptionHandler(cause -> log.debug("a dashboard client failed", cause));
    socket.closeHandler(
        v -> {
          leave();
          context.runOnContext(w -> remove(socket));
        });
  }

  /** Disconnects every client and stops. */
  public Future<Void> close() {
    Promise<Void> done = Promise.promise();
    context.runOnContext(
        v -> {
          closed = true;
          List<Future<Void>> ends = new ArrayList<>();
          List.copyOf(sessions.keySet())
              .forEach(socket -> ends.add(end(socket, GOING_AWAY, "the node stops")));
          rest();
          Future.join(ends).onComplete(ignored -> done.complete());
        });
    return done.future();
  }

  private void add(ServerWebSocket socket, Caller caller) {
    if (closed || socket.isClosed()) {
      end(socket, GOING_AWAY, "the node stops");
      return;
    }
    sessions.put(socket, new ClientSession(welcome, clock.millis()));
    callers.put(socket, caller);
    if (next == null) {
      schedule();
    }
  }

  private void remove(ServerWebSocket socket) {
    ClientSession session = sessions.remove(socket);
    callers.remove(socket);
    if (session != null) {
      session.views().forEach(views::left);
    }
    if (sessions.isEmpty()) {
      rest();
    }
  }

  private void rest() {
    if (next != null) {
      next.cancel();
      next = null;
    }
  }

  private void receive(
      ServerWebSocket socket, Function<ClientSession, List<ClientSession.Effect>> what) {
    context.runOnContext(
        v -> {
          ClientSession session = sessions.get(socket);
          if (session != null) {
            what.apply(session).forEach(effect -> apply(socket, session, effect));
          }
        });
  }

  private void apply(ServerWebSocket socket, ClientSession session, ClientSession.Effect effect) {
    if (sessions.get(socket) != session) {
      return; // it has ended meanwhile: no frame may follow the closing one
    }
    if (effect instanceof ClientSession.Effect.Send send) {
      socket
          .writeTextMessage(send.frame())
          .onFailure(cause -> log.debug("a dashboard client has disconnected", cause));
    } else if (effect instanceof ClientSession.Effect.Open open) {
      open(socket, session, open);
    } else if (effect instanceof ClientSession.Effect.Left left) {
      views.left(left.view());
    } else if (effect instanceof ClientSession.Effect.Ping) {
      socket
          .writePing(Buffer.buffer())
          .onFailure(cause -> log.debug("a dashboard client has disconnected", cause));
    } else if (effect instanceof ClientSession.Effect.Close close) {
      end(socket, (short) close.code(), close.reason());
    }
  }

  /** Closes a socket, to which nothing is written from then on. */
  @CanIgnoreReturnValue
  private Future<Void> end(ServerWebSocket socket, short code, String reason) {
    remove(socket);
    return socket
        .close(code, reason)
        .onFailure(cause -> log.debug("a dashboard client had disconnected already", cause));
  }

  private void open(ServerWebSocket socket, ClientSession session, ClientSession.Effect.Open open) {
    View view;
    try {
      view = views.open(topics.find(open.topic(), open.query()));
    } catch (IllegalArgumentException e) {
      session
          .refuse(open.id(), "UNKNOWN_TOPIC", String.valueOf(e.getMessage()))
          .forEach(effect -> apply(socket, session, effect));
      return;
    }
    session.attach(open.id(), view);
    views.known(view).onComplete(v -> flush(socket, session));
  }

  private void schedule() {
    next = time.after(context, tick, this::tick);
  }

  /** Ends the sockets of those whose session has ended. */
  private void endLoggedOut() {
    List.copyOf(callers.entrySet()).stream()
        .filter(each -> !each.getValue().still().getAsBoolean())
        .forEach(each -> end(each.getKey(), LOGGED_OUT, "the session has ended: log in again"));
  }

  /** Reads what may have changed, then tells; a reading that takes longer is told later. */
  private void tick() {
    if (next == null) {
      return; // the last client left when it was due already
    }
    schedule();
    endLoggedOut();
    ticks++;
    jobs.map(Jobs::revision).ifPresent(this::mark);
    views
        .readDue(ticks)
        .timeout(tick.toMillis(), TimeUnit.MILLISECONDS)
        .onComplete(ignored -> context.runOnContext(v -> tell()));
  }

  /** Marks what depends on jobs, if these may have changed since the last tick. */
  private void mark(long now) {
    if (now != revision) {
      revision = now;
      views.markJobs();
    }
  }

  private void tell() {
    long nowMs = clock.millis();
    List.copyOf(sessions.entrySet())
        .forEach(entry -> tick(entry.getKey(), entry.getValue(), nowMs));
  }

  private void tick(ServerWebSocket socket, ClientSession session, long nowMs) {
    session.tick(nowMs, isWritable(socket)).forEach(effect -> apply(socket, session, effect));
  }

  private void flush(ServerWebSocket socket, ClientSession session) {
    session.flush(isWritable(socket)).forEach(effect -> apply(socket, session, effect));
  }

  /** Returns whether a socket takes more; one that has closed on its own context does not. */
  private static boolean isWritable(ServerWebSocket socket) {
    try {
      return !socket.writeQueueFull();
    } catch (IllegalStateException e) {
      return false; // its close handler removes it; the others must not wait for that
    }
  }

  private void changed(View view, View.Change change) {
    sessions.values().forEach(session -> session.changed(view, change));
  }
}
