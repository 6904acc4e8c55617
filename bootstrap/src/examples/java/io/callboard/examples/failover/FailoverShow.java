package io.callboard.examples.failover;

import io.callboard.Callboard;
import io.callboard.examples.reference.Timekeeper.Order;
import io.callboard.grid.Grid;
import io.callboard.grid.RoleStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Demonstration that ends the holder of a role again and again, under a load of requests. Blocks.
 */
public final class FailoverShow implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long LOOK_EVERY_MS = 20;
  private static final int CANDIDATES = 3;

  private final ShowMember asker;
  private final Candidates candidates;
  private final Consumer<String> out;
  private final Map<String, Process> running = new LinkedHashMap<>();
  private final List<Process> started = new ArrayList<>();
  private int named;

  /** Way to start a process that joins the cell under a name and is a candidate for the role. */
  public interface Candidates {
    Process start(String name) throws IOException;
  }

  /** End of a holder. */
  private enum End {
    KILLED("%s is killed (SIGKILL)"),
    ASKED("%s is asked to hand over"),
    STOPPED("%s is stopped in order (SIGTERM)");

    private final String label;

    End(String label) {
      this.label = label;
    }
  }

  private FailoverShow(ShowMember asker, Candidates candidates, Consumer<String> out) {
    this.asker = asker;
    this.candidates = candidates;
    this.out = out;
  }

  /** Joins the cell of these ZooKeeper servers; it ends all that it starts. */
  public static FailoverShow in(String servers, Candidates candidates, Consumer<String> out)
      throws Exception {
    return new FailoverShow(ShowMember.join(servers, "asker"), candidates, out);
  }

  /** Returns the node that asks the role. */
  public Callboard callboard() {
    return asker.callboard();
  }

  /** Returns the part of that node in the grid. */
  public Grid grid() {
    return asker.grid();
  }

  /**
   * Runs the demonstration.
   *
   * @param rounds number of ends of each kind
   * @return whether each lap was counted once
   */
  public boolean run(int rounds) throws Exception {
    fill();
    Laps laps = new Laps(asker.vertx(), asker.grid().roleRef(ShowMember.ROLE, Order.class));
    laps.start();
    for (int i = 0; i < rounds; i++) {
      for (End end : End.values()) {
        once(end, laps);
        fill();
      }
    }
    Laps.Result result = ShowMember.await(laps.end());
    out.accept(
        "%d laps were answered, of %d the answer was lost; the role counted %d"
            .formatted(result.answered(), result.lost(), result.counted()));
    return result.isSound();
  }

  /**
   * Starts processes until there are as many candidates as there should be: one holds the role, one
   * stands by.
   */
  private void fill() throws Exception {
    while (running.size() < CANDIDATES) {
      String name = "node-" + ++named;
      Process process = candidates.start(name);
      started.add(process);
      running.put(name, process);
    }
    RoleStatus role =
        role(
            "%d candidates and a holder".formatted(CANDIDATES),
            now ->
                allRun()
                    && now.holder().isPresent()
                    && now.standby().isPresent()
                    && now.candidates().containsAll(running.keySet()));
    out.accept(
        "%s holds the role, %s stands by, %s can hold it"
            .formatted(role.holder().orElseThrow(), role.standby().orElseThrow(), names(role)));
  }

  /**
   * Returns true if all processes run; throws if one has ended, as a wait for it would be in vain.
   */
  private boolean allRun() {
    running.forEach(
        (name, process) -> {
          if (!process.isAlive()) {
            throw new IllegalStateException(
                "%s ended with code %d; its directory has what it said"
                    .formatted(name, process.exitValue()));
          }
        });
    return true;
  }

  private static String names(RoleStatus role) {
    List<String> names = role.candidates().stream().sorted().toList();
    return String.join(" ", names);
  }

  private void once(End end, Laps laps) throws Exception {
    RoleStatus before = role("a holder", now -> now.holder().isPresent());
    String holder = before.holder().orElseThrow();
    var unused = laps.longest(); // what was before
    out.accept(end.label.formatted(holder) + "…");
    switch (end) {
      case KILLED -> Objects.requireNonNull(running.remove(holder)).destroyForcibly();
      case STOPPED -> Objects.requireNonNull(running.remove(holder)).destroy();
      case ASKED -> ShowMember.await(asker.grid().failover(ShowMember.ROLE));
    }
    RoleStatus after =
        role("the next holder", now -> now.holder().isPresent() && now.epoch() > before.epoch());
    long answered = laps.answered();
    until("an answer of the next holder", () -> laps.answered() > answered + 1);
    out.accept(
        "  %s holds it, in epoch %d; the longest wait for an answer: %d ms"
            .formatted(after.holder().orElseThrow(), after.epoch(), laps.longest().toMillis()));
  }

  private RoleStatus role(String what, Predicate<RoleStatus> as) throws Exception {
    RoleStatus[] found = new RoleStatus[1];
    until(
        what,
        () -> {
          List<RoleStatus> roles = ShowMember.await(asker.grid().roles());
          for (RoleStatus role : roles) {
            if (role.name().equals(ShowMember.ROLE) && as.test(role)) {
              found[0] = role;
              return true;
            }
          }
          return false;
        });
    return found[0];
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private void until(String what, Condition condition) throws Exception {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - deadline > 0) {
        throw new TimeoutException("%s: not within %d s".formatted(what, LIMIT.toSeconds()));
      }
      var unused = ShowMember.await(asker.vertx().timer(LOOK_EVERY_MS, TimeUnit.MILLISECONDS));
    }
  }

  @Override
  public void close() throws Exception {
    try (asker) {
      started.forEach(Process::destroyForcibly);
      for (Process candidate : started) {
        int unused = candidate.waitFor();
      }
    }
  }
}
