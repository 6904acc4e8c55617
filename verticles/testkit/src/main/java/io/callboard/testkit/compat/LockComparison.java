package io.callboard.testkit.compat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of the present protocols with a lock file: what has changed, and whether data stored
 * then is still readable.
 */
final class LockComparison {
  private final List<String> breaks = new ArrayList<>();
  private final List<String> changes = new ArrayList<>();

  LockComparison(SortedMap<String, ProtocolShape> locked, SortedMap<String, ProtocolShape> now) {
    locked.forEach((name, before) -> protocol(before, now.get(name)));
    now.forEach(
        (name, protocol) -> {
          if (!locked.containsKey(name)) {
            changes.add("protocol \"%s\" is new".formatted(name));
          }
        });
  }

  /** Returns the changes that make stored data unreadable, each with how to correct it. */
  List<String> breaks() {
    return breaks;
  }

  /** Returns the other changes. */
  List<String> changes() {
    return changes;
  }

  private void protocol(ProtocolShape before, @Nullable ProtocolShape now) {
    if (now == null) {
      breaks.add(
          ("protocol \"%s\" is not checked any more: name its class to check(…); if the class has"
                  + " another name now, keep the old one with @Named(\"%s\"); if nothing of it is"
                  + " stored anywhere, delete its part of the lock file")
              .formatted(before.name(), before.name()));
      return;
    }
    before.types().values().forEach(type -> type(before.name(), type, now));
    for (String gone : before.upcast()) {
      if (!now.upcast().contains(gone) && now.reader(gone).isEmpty()) {
        breaks.add(
            "%s: event \"%s\" is not read by an upcaster any more: keep it in gone() of the actor's, and the actor in check(…); if none is stored anywhere, delete it from the lock file"
                .formatted(before.name(), gone));
      }
    }
    for (TypeShape type : now.types().values()) {
      boolean known = before.types().keySet().stream().anyMatch(type::isNow);
      if (!known) {
        changes.add(
            "%s: type \"%s\" is new; nodes without it refuse it"
                .formatted(now.name(), type.name()));
      }
    }
  }

  private void type(String protocol, TypeShape before, ProtocolShape after) {
    String what = "%s: type \"%s\"".formatted(protocol, before.name());
    Optional<TypeShape> reader = after.reader(before.name());
    if (reader.isEmpty() && after.upcast().contains(before.name())) {
      changes.add(
          "%s is gone; the upcaster of its actor makes others of it, and nodes of the old version refuse those"
              .formatted(what));
      return;
    } else if (reader.isEmpty()) {
      breaks.add(
          ("%s is gone: keep it; if it has another name now, add @Named(formerly = \"%s\"); if"
                  + " none is stored anywhere, delete it from the lock file; if the upcaster of its"
                  + " actor makes others of it, name it in EventUpcaster.gone() and give the actor"
                  + " to check(…)")
              .formatted(what, before.name()));
      return;
    }
    TypeShape now = reader.get();
    for (String former : before.formerly()) {
      if (!now.isNow(former)) {
        breaks.add(
            "%s is not read under its former name \"%s\" any more: keep it in @Named(formerly = …)"
                .formatted(what, former));
      }
    }
    if (now.version() < before.version()) {
      breaks.add(
          "%s had version %d and has %d now: a version never goes down, take at least %d"
              .formatted(what, before.version(), now.version(), before.version()));
    } else if (now.version() > before.version()) {
      changes.add(
          "%s has version %d, after %d; nodes of the old version refuse it"
              .formatted(what, now.version(), before.version()));
    } else {
      fields(what, before, now);
    }
    if (!now.name().equals(before.name()) || !now.formerly().equals(before.formerly())) {
      changes.add("%s is now \"%s\", formerly %s".formatted(what, now.name(), now.formerly()));
    }
  }

  private void fields(String type, TypeShape before, TypeShape now) {
    String step =
        "or raise it to @Named(version = %d) and add @Upcast(from = %d)"
            .formatted(now.version() + 1, now.version());
    before
        .fields()
        .forEach(
            (path, shape) -> {
              String what = "%s, field \"%s\"".formatted(type, path);
              String present = now.fields().get(path);
              if (present == null) {
                breaks.add("%s (%s) is gone: keep it, %s".formatted(what, shape, step));
              } else if (!present.equals(shape)) {
                changed(what, shape, present, step);
              }
            });
    for (Map.Entry<String, String> field : now.fields().entrySet()) {
      String path = field.getKey();
      if (before.fields().containsKey(path) || isPartOfNew(path, before.fields().keySet())) {
        continue;
      }
      String what = "%s, field \"%s\" (%s)".formatted(type, path, field.getValue());
      if (optional(field.getValue()) || path.endsWith(">")) {
        changes.add(
            path.contains("[]")
                ? what
                    + " is new; nodes without it cannot use it, and lose it where they write a state with such a list: if it is of a state, "
                    + step.substring("or ".length())
                : what + " is new; nodes without it cannot use it, and keep it in a state");
      } else {
        breaks.add(
            "%s is new, but what is stored lacks it: make it @Nullable, %s".formatted(what, step));
      }
    }
  }

  /**
   * Returns whether {@code path} is part of something that did not exist before, or was something
   * else.
   */
  private static boolean isPartOfNew(String path, Set<String> before) {
    for (int end = 1; end < path.length(); end++) {
      boolean ends = ".[{<".indexOf(path.charAt(end)) >= 0;
      if (ends && !before.contains(path.substring(0, end))) {
        return true;
      }
    }
    return path.endsWith("[]") || path.endsWith("{}");
  }

  private void changed(String what, String before, String now, String step) {
    if (isEnum(before) && isEnum(now) && optional(before) == optional(now)) {
      Set<String> gone = constants(before);
      gone.removeAll(constants(now));
      if (gone.isEmpty()) {
        changes.add("%s has more constants; nodes without them refuse them".formatted(what));
      } else {
        breaks.add("%s has lost %s, which may be stored: keep it, %s".formatted(what, gone, step));
      }
    } else if (bare(before).equals(bare(now))) {
      breaks.add(
          optional(now)
              ? "%s may be missing now, which other nodes do not expect: keep it as it was, %s"
                  .formatted(what, step)
              : "%s must be there now, but what is stored may lack it: keep it @Nullable, %s"
                  .formatted(what, step));
    } else {
      breaks.add("%s was %s and is %s now: keep its type, %s".formatted(what, before, now, step));
    }
  }

  private static boolean optional(String shape) {
    return shape.endsWith("?");
  }

  private static String bare(String shape) {
    return optional(shape) ? shape.substring(0, shape.length() - 1) : shape;
  }

  private static boolean isEnum(String shape) {
    return shape.startsWith("enum ");
  }

  private static Set<String> constants(String shape) {
    return new TreeSet<>(Arrays.asList(bare(shape).substring("enum ".length()).split("\\|")));
  }
}
