package io.callboard.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.ActorPath;
import io.callboard.zone.ZoneDefaults;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Supervision tree of a node at one moment; any number of threads may read it. Pure. */
public final class SupervisionTree {
  /** Order of display by the name of a state; other states come last. */
  private static final Map<String, Integer> RANKS =
      Map.of("FAILED", 0, "RESTS", 1, "WAITS", 1, "STOPPING", 2, "STOPPED", 2, "STARTING", 3);

  private static final int LAST = 4;

  /** Name of the root among the open zones. */
  public static final String ROOT = "/";

  /** Name, among the open zones, of the toolkit's own actors that are in no zone. */
  public static final String SYSTEM = "system";

  private final List<FailureZoneStatus> zones;
  private final Function<ActorStatus, ObjectNode> actorRow;
  private final Map<String, List<ActorStatus>> actorsOf = new HashMap<>();
  private final Map<String, List<FailureZoneStatus>> zonesOf = new HashMap<>();
  private final Map<ActorPath, Inside> inside = new HashMap<>();
  private final Inside system = new Inside();

  /** Contents of a zone, including those of the zones in it. */
  private static final class Inside {
    private long actors;
    private long queued;
    private final Map<String, Long> byState = new TreeMap<>();

    void add(ActorStatus actor) {
      actors++;
      queued += actor.queued();
      byState.merge(actor.state().name(), 1L, Long::sum);
    }

    /** Adds the contents to the row. */
    ObjectNode tell(ObjectNode row) {
      ObjectNode told = row.putObject("inside");
      told.put("actors", actors).put("queued", queued);
      ObjectNode states = told.putObject("byState");
      byState.forEach(states::put);
      return row;
    }

    int rank() {
      return byState.keySet().stream().mapToInt(SupervisionTree::rank).min().orElse(LAST);
    }
  }

  /** Child of an open zone. */
  private record Child(String key, int rank, Supplier<ObjectNode> row) {}

  /**
   * Creates the tree.
   *
   * @param actors actors in the order of their paths, as {@code zones} are
   * @param actorRow makes the row of an actor
   */
  public SupervisionTree(
      List<ActorStatus> actors,
      List<FailureZoneStatus> zones,
      Function<ActorStatus, ObjectNode> actorRow) {
    this.zones = zones;
    this.actorRow = actorRow;
    Map<ActorPath, FailureZoneStatus> known = new HashMap<>();
    for (FailureZoneStatus zone : zones) {
      known.put(zone.path(), zone);
      inside.put(zone.path(), new Inside());
      zonesOf.computeIfAbsent(above(zone.supervisor()), path -> new ArrayList<>()).add(zone);
    }
    for (ActorStatus actor : actors) {
      boolean own = actor.supervisor() == null && actor.zone().equals(ZoneDefaults.TOOLKIT);
      String place = own ? SYSTEM : above(actor.supervisor());
      actorsOf.computeIfAbsent(place, path -> new ArrayList<>()).add(actor);
      if (own) {
        system.add(actor);
      }
      FailureZoneStatus zone = known.get(actor.supervisor());
      while (zone != null) {
        inside.computeIfAbsent(zone.path(), path -> new Inside()).add(actor);
        zone = known.get(zone.supervisor());
      }
    }
  }

  private static String above(@Nullable ActorPath supervisor) {
    return supervisor == null ? ROOT : supervisor.toString();
  }

  private static int rank(String state) {
    return RANKS.getOrDefault(state, LAST);
  }

  /**
   * Returns the direct children of each of these zones, by keys that stay the same, and how many
   * are left out, {@code down} with it if some of these do not run.
   *
   * @param open paths of the zones; {@link #ROOT} for the root, {@link #SYSTEM} for the toolkit's
   *     own actors
   * @param most maximum number of rows for each zone; of more, those that do not run come first
   */
  public Map<String, ObjectNode> rows(List<String> open, int most) {
    Map<String, ObjectNode> rows = new LinkedHashMap<>();
    open.forEach(zone -> addRows(zone, most, rows));
    return rows;
  }

  private void addRows(String zone, int most, Map<String, ObjectNode> rows) {
    List<Child> children = children(zone);
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < children.size(); i++) {
      places.add(i);
    }
    if (places.size() > most) {
      places.sort(Comparator.comparingInt(place -> children.get(place).rank()));
    }
    for (int place : places.subList(0, Math.min(most, places.size()))) {
      Child child = children.get(place);
      rows.put(child.key(), child.row().get().put("place", place));
    }
    if (places.size() > most) {
      ObjectNode more =
          JsonNodeFactory.instance
              .objectNode()
              .put("path", zone)
              .put("kind", "more")
              .put("hidden", places.size() - most)
              .put("place", places.size());
      if (!zone.equals(ROOT)) {
        more.put("supervisor", zone);
      }
      if (children.get(places.get(most)).rank() < LAST) { // those that do not run come first
        more.put("down", true);
      }
      rows.put("more:" + zone, more);
    }
  }

  /** Returns the children in the order of their starts; those of the root by path, zones first. */
  private List<Child> children(String zone) {
    List<Child> all = new ArrayList<>();
    Map<String, Integer> order = new HashMap<>();
    zones.stream()
        .filter(each -> zone.equals(each.path().toString()))
        .forEach(each -> each.children().forEach(c -> order.put(c.toString(), order.size())));
    zonesOf.getOrDefault(zone, List.of()).forEach(each -> all.add(child(each)));
    actorsOf
        .getOrDefault(zone, List.of())
        .forEach(
            actor ->
                all.add(
                    new Child(
                        actor.path().toString(),
                        rank(actor.state().name()),
                        () -> row(zone, actor))));
    if (zone.equals(ROOT) && system.actors > 0) {
      all.add(new Child("system:/", system.rank(), this::systemRow));
    }
    all.sort(Comparator.comparingInt(child -> order.getOrDefault(path(child), order.size())));
    return all;
  }

  private ObjectNode row(String zone, ActorStatus actor) {
    ObjectNode row = actorRow.apply(actor).put("kind", "actor");
    return zone.equals(SYSTEM) ? row.put("supervisor", SYSTEM) : row;
  }

  /** Returns the row that stands for all of the toolkit's own actors. */
  private ObjectNode systemRow() {
    ObjectNode row = JsonNodeFactory.instance.objectNode();
    row.put("path", SYSTEM).put("kind", "system");
    return system.tell(row);
  }

  private static String path(Child child) {
    return child.key().substring(child.key().indexOf('/'));
  }

  private Child child(FailureZoneStatus zone) {
    Inside in = inside.getOrDefault(zone.path(), new Inside());
    return new Child(
        "zone:" + zone.path(),
        Math.min(rank(zone.state().name()), in.rank()),
        () -> in.tell(StatusJson.of(zone)));
  }
}
