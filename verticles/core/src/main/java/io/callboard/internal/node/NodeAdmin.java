package io.callboard.internal.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.admin.ActorCounts;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.BulkReplay;
import io.callboard.admin.CallboardAdmin;
import io.callboard.admin.DeadLetter;
import io.callboard.admin.DownActors;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.admin.InterruptedActors;
import io.callboard.admin.MailSurvey;
import io.callboard.admin.NodeCounts;
import io.callboard.admin.NodeMetrics;
import io.callboard.admin.ParkedFilter;
import io.callboard.admin.RemoteAdmin;
import io.callboard.admin.StuckMail;
import io.callboard.admin.WaitingMessage;
import io.callboard.admin.ZoneStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.internal.activation.DurableActors;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.OnceOpen;
import io.callboard.internal.messaging.DeadLetters;
import io.callboard.internal.ownership.AccessDenials;
import io.callboard.internal.ownership.PartitionOwnership;
import io.callboard.internal.parked.MailboxPeek;
import io.callboard.internal.parked.ParkedMessages;
import io.callboard.internal.remote.AskingAdmin;
import io.callboard.internal.supervisor.FailureZoneRunner;
import io.callboard.internal.zone.Zones;
import io.callboard.journal.Redo;
import io.callboard.store.Lease;
import io.callboard.store.Limits;
import io.callboard.store.Member;
import io.callboard.store.ParkedKey;
import io.callboard.store.Store;
import io.callboard.store.StoredActor;
import io.callboard.store.StoredActors;
import io.callboard.store.StoredParked;
import io.callboard.supervision.Failure;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.SupervisionOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Operator interface of a node, answered by its parts. Safe for use by many threads. */
final class NodeAdmin implements CallboardAdmin {
  private final NodeContext node;
  private final Store store;
  private final OnceOpen<PartitionOwnership> ownership;
  private final LocalActors actors;
  private final FailureZones failureZones;
  private final DurableActors durables;
  private final ParkedMessages parked;
  private final NodeMeters meters;
  private final Zones zones;
  private final AccessDenials denials;
  private final DeadLetters deadLetters;
  private final BooleanSupplier hasClosed;
  private final MailSurveys surveys;

  /**
   * @param hasClosed whether the node has closed; any thread
   */
  NodeAdmin(
      NodeContext node,
      Store store,
      OnceOpen<PartitionOwnership> ownership,
      LocalActors actors,
      FailureZones failureZones,
      DurableActors durables,
      ParkedMessages parked,
      NodeMeters meters,
      Zones zones,
      AccessDenials denials,
      DeadLetters deadLetters,
      BooleanSupplier hasClosed) {
    this.node = node;
    this.store = store;
    this.ownership = ownership;
    this.actors = actors;
    this.failureZones = failureZones;
    this.durables = durables;
    this.parked = parked;
    this.meters = meters;
    this.zones = zones;
    this.denials = denials;
    this.deadLetters = deadLetters;
    this.hasClosed = hasClosed;
    this.surveys = new MailSurveys(node, actors);
  }

  /** Ends the replays that are under way. */
  void close() {
    parked.close();
  }

  @Override
  public Future<Void> resume(String path) {
    return ask(path, FailureZones.Wish.RESUME);
  }

  @Override
  public Future<Void> restart(String path) {
    return ask(path, FailureZones.Wish.RESTART);
  }

  @Override
  public Future<Void> refold(String path, String why) {
    return redo(path, () -> new Redo(null, why));
  }

  @Override
  public Future<Void> restore(String path, long event, String why) {
    return redo(path, () -> new Redo(event, why));
  }

  @Override
  public Future<Void> suspend(String path) {
    return ask(path, FailureZones.Wish.SUSPEND);
  }

  @Override
  public Future<Void> changePolicy(String path, FailureZone policy) {
    return at(
        path,
        where ->
            checked(
                () -> given(policy, "the policy of zone %s".formatted(path), "a FailureZone"),
                next -> failureZones.changePolicy(where, next)));
  }

  @Override
  public Future<Void> changeSupervision(String path, SupervisionOptions options) {
    return at(
        path,
        where ->
            checked(
                () -> given(options, "the supervision of %s".formatted(path), "SupervisionOptions"),
                next -> treat(where, next)));
  }

  @Override
  public List<FailureZoneStatus> failureZones() {
    return failureZones.status();
  }

  @Override
  public Future<List<ActorStatus>> running() {
    return open(() -> Future.succeededFuture(actors.status()));
  }

  @Override
  public Optional<ActorStatus> running(ActorPath path) {
    return actors.status(path);
  }

  @Override
  public ActorCounts actorCounts() {
    return actors.environment().census().counts();
  }

  @Override
  public DownActors down(int limit) {
    return actors.environment().census().down(limit);
  }

  @Override
  public List<ActorStatus> failing(int limit) {
    return actors.environment().census().failing(limit);
  }

  @Override
  public InterruptedActors interrupted(int limit) {
    return actors.environment().census().interrupted(limit);
  }

  @Override
  public List<ActorStatus> reporting(int limit) {
    return actors.environment().census().reporting(limit);
  }

  @Override
  public Future<List<ActorStatus>> named(String part, int limit) {
    return open(
        () ->
            checked(
                () -> ActorSearch.named(part, limit),
                search -> node.vertx().executeBlocking(() -> search.in(actors), false)));
  }

  @Override
  public Future<MailSurvey> mail() {
    return open(() -> here(surveys.read()));
  }

  @Override
  public RemoteAdmin of(Member member) {
    return new AskingAdmin(node.vertx(), node.node(), member);
  }

  @Override
  public Future<List<Failure>> failures(String path) {
    return at(
        path,
        actor -> {
          FailureZoneRunner zone = failureZones.find(actor);
          return zone == null ? actors.failures(actor) : Future.succeededFuture(zone.failures());
        });
  }

  @Override
  public Future<StoredActors> stored(ActorPath prefix, int limit, Optional<ActorPath> after) {
    return open(
        () ->
            checked(
                () -> {
                  given(after, "after", "the next of the page before, or Optional.empty()");
                  return given(prefix, "prefix", "the path of an actor");
                },
                within -> here(store.actors(within, limit, after))));
  }

  @Override
  public Future<Void> stored(ActorPath prefix, Consumer<StoredActors> page) {
    return open(
        () ->
            checked(
                () -> {
                  given(page, "page", "what takes the actors");
                  return given(prefix, "prefix", "the path of an actor");
                },
                within -> stream(within, page)));
  }

  private Future<Void> stream(ActorPath prefix, Consumer<StoredActors> page) {
    ContextPages pages = new ContextPages(node.vertx().getOrCreateContext(), page);
    return here(store.eachActor(prefix, pages::pass));
  }

  @Override
  public Future<Optional<StoredActor>> stored(String path) {
    return at(path, actor -> here(store.actor(actor)));
  }

  @Override
  public Future<StoredActors> stored(List<ActorPath> paths) {
    return open(() -> checked(() -> some(paths), actors -> here(store.actors(actors))));
  }

  private static List<ActorPath> some(List<ActorPath> paths) {
    List<ActorPath> once = List.copyOf(new LinkedHashSet<>(given(paths, "paths", "a list")));
    Limits.checkActors(once.size(), Limits.PAGE_ACTORS);
    return once;
  }

  @Override
  public Future<Optional<String>> owner(String path) {
    return at(
        path,
        actor ->
            ownership
                .ifOpen()
                .map(claims -> owner(claims.partition(actor)))
                .orElseGet(
                    () ->
                        Future.failedFuture(
                            new CallboardException(Code.STOPPED, NodeContext.NOT_OPEN))));
  }

  private Future<Optional<String>> owner(Partition partition) {
    return here(store.leases())
        .map(
            leases ->
                Optional.ofNullable(leases.get(partition))
                    .filter(lease -> !lease.isFree())
                    .map(Lease::owner));
  }

  @Override
  public Future<List<StoredParked>> parked(int limit) {
    return open(
        () -> checked(() -> ParkedMessages.checkedLimit(limit), most -> here(store.parked(most))));
  }

  @Override
  public Future<Optional<StoredParked>> parked(String actor, String id) {
    return at(actor, id, key -> here(store.parked(key)));
  }

  @Override
  public Future<Void> replay(String actor, String id) {
    return at(actor, id, key -> here(parked.replay(key)));
  }

  @Override
  public Future<StoredParked> replay(String actor, String id, JsonNode body) {
    return at(
        actor,
        id,
        key ->
            checked(
                () -> given(body, "body", "the JSON of the message"),
                edited -> here(parked.replayEdited(key, edited))));
  }

  @Override
  public Future<BulkReplay> replay(ParkedFilter filter, double ratePerSecond) {
    return open(
        () ->
            checked(
                () -> {
                  double unused = ParkedMessages.checkedRate(ratePerSecond);
                  return given(filter, "filter", "one, or ParkedFilter.ALL");
                },
                which -> here(parked.replayAll(which, ratePerSecond))));
  }

  @Override
  public Future<Void> discard(String actor, String id) {
    return at(actor, id, key -> here(parked.discard(key)));
  }

  @Override
  public Future<List<WaitingMessage>> waiting(String path, int limit) {
    return at(
        path,
        actor ->
            checked(
                () -> MailboxPeek.checkedLimit(limit),
                most -> here(MailboxPeek.of(store, actor, most))));
  }

  @Override
  public List<ZoneStatus> zones() {
    return zones.status();
  }

  @Override
  public boolean isZoneFull(String zone) {
    return zones.isFull(zone);
  }

  @Override
  public NodeCounts counts() {
    return meters.counts();
  }

  @Override
  public NodeMetrics metrics() {
    return meters.metrics();
  }

  @Override
  public Optional<String> denied() {
    return denials.standing();
  }

  @Override
  public Map<Partition, String> unreadableLeases() {
    return store.unreadableLeases();
  }

  @Override
  public List<StuckMail> stuckMail() {
    return meters.durable().stuck().list();
  }

  @Override
  public Runnable onDeadLetter(Consumer<DeadLetter> listener) {
    Objects.requireNonNull(listener, "listener is null: give one");
    return deadLetters.listen(listener);
  }

  private Future<Void> redo(String path, Supplier<Redo> wish) {
    return at(path, where -> checked(wish, redo -> here(durables.redo(where, redo))));
  }

  private Future<Void> ask(String path, FailureZones.Wish wish) {
    return at(
        path,
        where -> here(failureZones.ask(where, wish).orElseGet(() -> actors.ask(where, wish))));
  }

  private Future<Void> treat(ActorPath path, SupervisionOptions options) {
    FailureZoneRunner zone = failureZones.find(path);
    if (zone == null) {
      return actors.treat(path, options);
    }
    zone.supervision(options);
    return Future.succeededFuture();
  }

  @CanIgnoreReturnValue
  private static <A> A given(@Nullable A argument, String name, String instead) {
    return Objects.requireNonNull(argument, () -> "%s is null: give %s".formatted(name, instead));
  }

  /** The result of {@code call} for a checked argument; fails if the check throws. */
  static <A, T> Future<T> checked(Supplier<A> argument, Function<A, Future<T>> call) {
    A good;
    try {
      good = argument.get();
    } catch (NullPointerException | IllegalArgumentException e) {
      return Future.failedFuture(e);
    }
    return call.apply(good);
  }

  /** The result of {@code call}; fails if the node has closed. */
  private <T> Future<T> open(Supplier<Future<T>> call) {
    return hasClosed.getAsBoolean()
        ? Future.failedFuture(CallboardException.stopped("node " + node.node()))
        : call.get();
  }

  private <T> Future<T> at(String path, Function<ActorPath, Future<T>> call) {
    return open(() -> checked(() -> ActorPath.of(path), call));
  }

  private <T> Future<T> at(String path, String id, Function<ParkedKey, Future<T>> call) {
    return open(
        () ->
            checked(
                () ->
                    new ParkedKey(ActorPath.of(path), given(id, "id", "that of a parked message")),
                call));
  }

  private <T> Future<T> here(Future<T> future) {
    Promise<T> promise = node.promises().here();
    future.onComplete(promise);
    return promise.future();
  }
}
