package io.callboard.jobs.internal.actor;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.grid.HostFaults;
import io.callboard.jobs.internal.process.PlayedFiles;
import io.callboard.jobs.internal.process.PlayedMachine;
import io.callboard.jobs.internal.process.PlayedProcesses;
import io.callboard.jobs.internal.process.RunHistory;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.MonitorCommand;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.testkit.Intercepted;
import io.callboard.testkit.internal.world.WorldCell;
import io.callboard.testkit.internal.world.WorldNode;
import io.callboard.testkit.internal.world.WorldTime;
import io.callboard.testkit.internal.world.WorldWatch;
import io.vertx.core.Future;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/** One host with played processes and no cell: what it tells is written down, or fails. */
final class PlayedHost {
  static final int SLOTS = 4;

  private final WorldCell cell;
  private final WorldNode node;
  final PlayedMachine machine;
  final List<Told> told = new ArrayList<>();

  /** Published faults, in order. */
  final List<String> faults = new ArrayList<>();

  Predicate<Object> fails = message -> false;

  /** Message that was told, whether it was accepted or not. */
  record Told(Duration at, Object message) {}

  private static final class NoHistory implements RunHistory {
    @Override
    public void begins(RunKey run, String host) {}

    @Override
    public void ends(RunKey run, Integer exitCode) {}
  }

  PlayedHost(long seed, Duration lasts) {
    this(seed, lasts, Duration.ZERO);
  }

  /** Creates a host whose runs stay for a time after SIGKILL. */
  PlayedHost(long seed, Duration lasts, Duration stuck) {
    this.cell = new WorldCell(new SplittableRandom(seed), new WorldWatch() {});
    this.node = cell.open("h", "b");
    PlayedMachine.Plan plan =
        new PlayedMachine.Plan(lasts.toNanos(), 0, Long.MAX_VALUE, stuck.isZero(), stuck.toNanos());
    this.machine =
        new PlayedMachine(
            cell.time(), new SplittableRandom(seed), new NoHistory(), (host, run) -> plan);
  }

  /** Returns the table of its runs. */
  HostRuns runs() {
    return new HostRuns(
        callboard(),
        node.node(),
        new PlayedProcesses(node, machine),
        new PlayedFiles(machine, "b"),
        SLOTS,
        Map::of,
        node.time().clock());
  }

  /** Returns its node, but for what it tells and publishes. */
  Callboard callboard() {
    return Intercepted.of(
        Callboard.class,
        node,
        call -> {
          if (call.is("durableRef")) {
            return ref();
          } else if (call.is("publish") && HostFaults.FACT.equals(call.arguments().get(0))) {
            faults.add((String) call.arguments().get(1));
          }
          return call.proceed();
        });
  }

  private ActorRef<?> ref() {
    return (ActorRef<?>)
        Proxy.newProxyInstance(
            ActorRef.class.getClassLoader(),
            new Class<?>[] {ActorRef.class},
            (self, method, arguments) -> {
              if (!method.getName().equals("tell")) {
                throw new UnsupportedOperationException("ref." + method.getName());
              }
              told.add(new Told(now(), arguments[0]));
              return fails.test(arguments[0])
                  ? Future.failedFuture(new IllegalStateException("the store is away"))
                  : Future.succeededFuture();
            });
  }

  Duration now() {
    return Duration.ofNanos(cell.time().now());
  }

  void seconds(long count) {
    cell.time().runUntil(cell.time().now() + count * WorldTime.SECOND);
  }

  static MonitorCommand.Start start(String job) {
    return new MonitorCommand.Start(
        job,
        1,
        "b",
        List.of("work"),
        Map.of(),
        1,
        null,
        0,
        null,
        null,
        null,
        "etl",
        null,
        null,
        null);
  }

  /** Returns what was told of that kind, in order. */
  <T> List<T> told(Class<T> kind) {
    return told.stream().map(Told::message).filter(kind::isInstance).map(kind::cast).toList();
  }

  GateCommand.Report lastReport() {
    List<GateCommand.Report> all = told(GateCommand.Report.class);
    return all.get(all.size() - 1);
  }

  /** Returns when messages of that kind were told. */
  List<Duration> times(Class<? extends JobCommand> kind) {
    return told.stream().filter(each -> kind.isInstance(each.message())).map(Told::at).toList();
  }
}
