package io.callboard.zookeeper.cluster;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.cell.AddressResolver.Endpoints;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resolver of the addresses of actors, without ZooKeeper: a node asks every other one, each under
 * an address that is not registered there either, and the first that says yes has the actor. A node
 * remembers its askers, and notifies them when it no longer has the address. Remembered answers are
 * asked for again after a while, so a lost notification does not mislead for ever.
 *
 * <p>One clustered consumer costs ZooKeeper two znodes and some milliseconds, and each node watches
 * (vertx-zookeeper #15, #76): too much for actors.
 */
final class ActorAddresses {
  private static final Logger log = LoggerFactory.getLogger(ActorAddresses.class);

  /** Prefix of the address of an actor. */
  static final String ACTOR = "callboard:/";

  /** Prefix of the address at which a node is asked; the node's id follows. */
  static final String NODE = "callboard.where.";

  private static final String WANTED = "wanted";
  private static final String ASKER = "asker";
  private static final String GONE = "gone";
  private static final long ANSWER_MS = 500;

  /** Timeout of the second question, to nodes that did not answer the first. */
  private static final long PATIENT_MS = 3_000;

  private final Vertx vertx;
  private final Context context;
  private final String me;
  private final Supplier<List<String>> nodes;
  private final BiConsumer<String, List<String>> listener;
  private final List<Endpoints> endpoints = new CopyOnWriteArrayList<>();
  private final Map<String, Integer> here = new ConcurrentHashMap<>();
  private final Map<String, Set<String>> askers = new ConcurrentHashMap<>();
  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private final Promise<Void> listening = Promise.promise();
  private boolean started;

  private record Known(String node, long sinceNs) {}

  /**
   * Creates the addresses that this node knows.
   *
   * @param me this node's id
   * @param nodes the ids of all
   * @param listener called with an address that leads elsewhere now, and the nodes that have it
   */
  ActorAddresses(
      Vertx vertx,
      String me,
      Supplier<List<String>> nodes,
      BiConsumer<String, List<String>> listener) {
    this.vertx = vertx;
    this.context = ((VertxInternal) vertx).createEventLoopContext();
    this.me = me;
    this.nodes = nodes;
    this.listener = listener;
  }

  static boolean isActor(String address) {
    return address.startsWith(ACTOR);
  }

  /**
   * Starts to answer other nodes; idempotent, and to be called again as long as the event bus may
   * not have started. Runs on one context, so that questions are answered in their order.
   */
  @CanIgnoreReturnValue
  synchronized Future<Void> start() {
    if (!started) {
      started = true;
      context.runOnContext(v -> listen());
    }
    return listening.future();
  }

  private void listen() {
    try {
      vertx
          .eventBus()
          .<JsonObject>consumer(NODE + me, this::asked)
          .completion()
          .onComplete(listening);
    } catch (IllegalStateException e) { // the event bus has not started
      log.debug("the event bus has not started: other nodes are answered later", e);
      synchronized (this) {
        started = false;
      }
    }
  }

  void add(Endpoints opened) {
    endpoints.add(opened);
  }

  void remove(Endpoints closed) {
    endpoints.remove(closed);
  }

  /** Notes that a consumer is registered here. */
  void registered(String address) {
    here.merge(address, 1, Integer::sum);
    if (known.remove(address) != null) {
      listener.accept(address, List.of(me));
    }
  }

  /**
   * Notes that a consumer is no longer registered here.
   *
   * @return completes when the nodes that have asked for it know, or do not answer; never fails
   */
  Future<Void> unregistered(String address) {
    if (here.computeIfPresent(address, (a, count) -> count == 1 ? null : count - 1) != null) {
      return Future.succeededFuture();
    }
    listener.accept(address, List.of());
    Set<String> tell = askers.remove(address);
    return tell == null ? Future.succeededFuture() : tellGone(address, tell);
  }

  private Future<Void> tellGone(String address, Set<String> tell) {
    JsonObject gone = new JsonObject().put(GONE, address).put(ASKER, me);
    Promise<Void> known = Promise.promise();
    context.runOnContext(
        v ->
            Future.join(tell.stream().map(asker -> request(asker, gone, ANSWER_MS)).toList())
                .onComplete(all -> known.complete()));
    return known.future();
  }

  /** Forgets a node that has left: other nodes are asked for its addresses. */
  void left(String node) {
    forget(entry -> entry.getValue().node().equals(node));
  }

  /** Forgets answers from before that time: they are asked for again when needed. */
  void forgetBefore(long nanoTime) {
    forget(entry -> entry.getValue().sinceNs() - nanoTime < 0);
  }

  private void forget(java.util.function.Predicate<Map.Entry<String, Known>> which) {
    List<String> forgotten = new ArrayList<>();
    known.entrySet().stream().filter(which).forEach(entry -> forgotten.add(entry.getKey()));
    for (String address : forgotten) {
      known.remove(address);
      listener.accept(address, List.of());
    }
  }

  /**
   * Ids of the nodes that have the address: none, or one. Fails if that is not known. The messages
   * sent for it belong to no verticle.
   */
  Future<List<String>> find(String address) {
    Promise<List<String>> found = Promise.promise();
    context.runOnContext(
        v ->
            isHere(address)
                .compose(
                    yes ->
                        yes
                            ? Future.succeededFuture(List.of(me))
                            : ask(address).map(this::remembered))
                .onComplete(found));
    return found.future();
  }

  /**
   * @param node that has it; null if none that answered
   * @param silent those that did not answer
   */
  private record Answer(String address, @Nullable String node, Set<String> silent) {}

  private List<String> remembered(Answer answer) {
    if (answer.node() == null) {
      return List.of();
    }
    known.put(answer.address(), new Known(answer.node(), System.nanoTime()));
    return List.of(answer.node());
  }

  /**
   * Asks all other nodes at once; the first yes counts. The address is nowhere only if all others
   * say no: one that does not answer, even when asked with the longer timeout, may have it.
   */
  private Future<Answer> ask(String address) {
    Set<String> others = new HashSet<>(nodes.get());
    others.remove(me);
    return ask(address, others, ANSWER_MS)
        .compose(
            asked ->
                asked.node() != null || asked.silent().isEmpty()
                    ? Future.succeededFuture(asked)
                    : ask(address, asked.silent(), PATIENT_MS))
        .compose(
            asked ->
                asked.node() != null || asked.silent().isEmpty()
                    ? Future.succeededFuture(asked)
                    : Future.failedFuture(
                        "%s may be registered on a node that does not answer, one of %s"
                            .formatted(address, asked.silent())));
  }

  private Future<Answer> ask(String address, Set<String> others, long patienceMs) {
    Promise<Answer> found = Promise.promise();
    Set<String> silent = new HashSet<>(others);
    if (others.isEmpty()) {
      found.complete(new Answer(address, null, Set.of()));
    }
    JsonObject wanted = new JsonObject().put(WANTED, address).put(ASKER, me);
    AtomicInteger left = new AtomicInteger(others.size());
    for (String other : others) {
      request(other, wanted, patienceMs)
          .onComplete(
              yes -> {
                boolean last = left.decrementAndGet() == 0;
                if (yes.succeeded()) {
                  silent.remove(other);
                }
                boolean has = yes.succeeded() && yes.result();
                if (has || last) {
                  boolean unused =
                      found.tryComplete(
                          new Answer(address, has ? other : null, Set.copyOf(silent)));
                }
              });
    }
    return found.future();
  }

  private Future<Boolean> request(String node, JsonObject what, long patienceMs) {
    DeliveryOptions options = new DeliveryOptions().setSendTimeout(patienceMs);
    return vertx
        .eventBus()
        .<Boolean>request(NODE + node, what, options)
        .map(Message::body)
        .onFailure(cause -> log.debug("node {} does not answer {}", node, what, cause));
  }

  /** Completes with whether a consumer is here, or one could be opened. */
  private Future<Boolean> isHere(String address) {
    if (here.containsKey(address)) {
      return Future.succeededFuture(true);
    }
    List<Future<Boolean>> opened = endpoints.stream().map(each -> each.open(address)).toList();
    return Future.join(opened).map(all -> here.containsKey(address));
  }

  private void asked(Message<JsonObject> message) {
    String asker = message.body().getString(ASKER);
    String gone = message.body().getString(GONE);
    if (gone != null) {
      Known was = known.get(gone);
      if (was != null && was.node().equals(asker) && known.remove(gone, was)) {
        listener.accept(gone, List.of());
      }
      message.reply(false);
      return;
    }
    String wanted = message.body().getString(WANTED);
    isHere(wanted)
        .onComplete(
            yes -> {
              boolean has = yes.succeeded() && yes.result();
              if (has) {
                askers.computeIfAbsent(wanted, w -> ConcurrentHashMap.newKeySet()).add(asker);
                has =
                    here.containsKey(
                        wanted); // or it was removed before the asking node was remembered
              }
              message.reply(has);
            });
  }
}
