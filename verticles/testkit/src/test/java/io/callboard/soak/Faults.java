package io.callboard.soak;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.supervision.ChildKind;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Faults determined by the seed, with mail meanwhile. On the test's thread. */
final class Faults {
  private static final int MAILS = 3;
  private static final int RESUME_EVERY = 200;
  private static final int TOTAL =
      Arrays.stream(Fault.values()).mapToInt(fault -> fault.weight).sum();

  private final SplittableRandom random;
  private final Callboard callboard;
  private final Tree tree;
  private final Findings findings;
  private final Set<String> notOfZones;
  private final List<Part> parts;
  private final List<ActorPath> zones;
  private final Set<Part> gone = new HashSet<>();
  private final Map<Part, Long> numbers = new HashMap<>();
  private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
  private final List<Future<?>> tells = new ArrayList<>();

  /**
   * @param notOfZones deployments that are let alone
   */
  Faults(long seed, Callboard callboard, Tree tree, Findings findings, Set<String> notOfZones) {
    this.random = new SplittableRandom(seed);
    this.callboard = callboard;
    this.tree = tree;
    this.findings = findings;
    this.notOfZones = notOfZones;
    this.parts = List.copyOf(tree.parts().values());
    this.zones = List.copyOf(tree.zones().keySet());
  }

  Findings findings() {
    return findings;
  }

  Map<Fault, Integer> counts() {
    return counts;
  }

  int total() {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  /**
   * Injects that many faults, one after the other; what rests meanwhile is resumed now and then.
   */
  void inject(int count) {
    for (int i = 1; i <= count; i++) {
      inject(next());
      if (i % RESUME_EVERY == 0) {
        resumeZones();
      }
    }
  }

  /** Completes when all messages told so far are in a mailbox, or refused. */
  Future<?> told() {
    List<Future<?>> all = List.copyOf(tells);
    tells.clear();
    return Future.join(all).otherwiseEmpty();
  }

  private Fault next() {
    int left = random.nextInt(TOTAL);
    for (Fault fault : Fault.values()) {
      left -= fault.weight;
      if (left < 0) {
        return fault;
      }
    }
    throw new IllegalStateException("there is none left");
  }

  private void inject(Fault fault) {
    Part part = parts.get(random.nextInt(parts.size()));
    ActorPath zone = zones.get(random.nextInt(zones.size()));
    mail(part);
    if (!fits(fault, part)) {
      return;
    }
    counts.merge(fault, 1, Integer::sum);
    String path = part.path.toString();
    switch (fault) {
      case FAILED_START -> badStart(part, Part.NextStart.FAILS, random.nextInt(1, 4));
      case HANGING_START -> badStart(part, Part.NextStart.HANGS, 1);
      case BLOCKED_START -> badStart(part, Part.NextStart.BLOCKS, 1);
      case STOP_SELF -> stopSelf(part);
      case SUSPEND -> asked(part, callboard.admin().suspend(path));
      case RESTART -> asked(part, callboard.admin().restart(path));
      case SUSPEND_ZONE -> asked(null, callboard.admin().suspend(zone.toString()));
      case RESTART_ZONE -> asked(null, callboard.admin().restart(zone.toString()));
      case UNDEPLOY -> undeploy();
      default -> tell(part, fault);
    }
    mail(part);
  }

  private static boolean fits(Fault fault, Part part) {
    return switch (fault) {
      case BLOCK, BLOCKED_START -> part.zone.equals(ZoneDefaults.BLOCKING);
      case STOP_SELF -> part.role == Part.Role.VOLATILE;
      default -> true;
    };
  }

  private void mail(Part part) {
    for (int i = random.nextInt(MAILS); i >= 0; i--) {
      tell(part, Fault.NONE);
    }
  }

  private void badStart(Part part, Part.NextStart how, int count) {
    part.starts(how, count);
    tell(part, Fault.THROW);
  }

  private void stopSelf(Part part) {
    tell(part, Fault.STOP_SELF);
    if (part.options.kind() != ChildKind.PERMANENT) {
      part.leaves();
      gone.add(part);
    }
  }

  private void tell(Part part, Fault fault) {
    if (gone.contains(part)) {
      return;
    }
    long number = numbers.merge(part, 1L, Long::sum);
    ActorRef<Cue> ref = tree.ref(part);
    tells.add(
        ref.tell(new Cue.Act(number, fault))
            .onSuccess(v -> part.accepted(number))
            .onFailure(cause -> refused(part, cause)));
  }

  private void refused(Part part, Throwable cause) {
    if (part.keepsMail() && !part.mayBeGone()) {
      findings.add(part.path + " refused a message: " + cause);
    }
  }

  private void asked(@Nullable Part part, Future<Void> answer) {
    answer.onFailure(
        cause -> {
          Code code = cause instanceof CallboardException ours ? ours.code() : null;
          boolean gone = code == Code.NO_SUCH_ACTOR;
          if (code == Code.CONFLICT) {
            return; // its zone rests
          } else if (!gone || part == null || (!part.mayBeGone() && part.role != Part.Role.KID)) {
            findings.add("an operator was refused: " + cause);
          }
        });
  }

  private void undeploy() {
    List<String> ids =
        callboard.vertx().deploymentIDs().stream()
            .filter(id -> !notOfZones.contains(id))
            .sorted()
            .collect(Collectors.toList());
    if (!ids.isEmpty()) {
      String id = ids.get(random.nextInt(ids.size()));
      var unused =
          callboard.vertx().undeploy(id).otherwiseEmpty(); // it may have ended by itself meanwhile
    }
  }

  void resumeZones() {
    for (FailureZoneStatus zone : callboard.admin().failureZones()) {
      if (zone.state() == FailureZoneStatus.State.FAILED
          || zone.state() == FailureZoneStatus.State.STOPPED) {
        asked(null, callboard.admin().resume(zone.path().toString()));
      }
    }
  }

  /** Records that an actor was spawned again. */
  void back(Part part) {
    gone.remove(part);
  }
}
