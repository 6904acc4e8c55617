package io.callboard.workflows.internal.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Steps of an instance by id. Immutable; a change copies one of {@value #BUCKETS} buckets, not the
 * table, so that the events of an instance of 10,000 steps cost little. Written as an object.
 */
public final class StepTable {
  private static final int BUCKETS = 128;

  /** Table of an instance to whose steps nothing has happened. */
  public static final StepTable EMPTY = new StepTable(Collections.nCopies(BUCKETS, Map.of()));

  private final List<Map<String, StepRecord>> buckets;

  private StepTable(List<Map<String, StepRecord>> buckets) {
    this.buckets = buckets;
  }

  /** Returns the table of these steps. */
  @JsonCreator
  public static StepTable of(Map<String, StepRecord> steps) {
    List<Map<String, StepRecord>> filled = new ArrayList<>(BUCKETS);
    for (int i = 0; i < BUCKETS; i++) {
      filled.add(new HashMap<>(4));
    }
    steps.forEach((id, step) -> filled.get(bucket(id)).put(id, step));
    return new StepTable(filled);
  }

  private static int bucket(String id) {
    int hash = id.hashCode();
    return (hash ^ (hash >>> 7) ^ (hash >>> 16)) & (BUCKETS - 1);
  }

  /** Returns a step; {@link StepRecord#PENDING} if nothing has happened to it. */
  public StepRecord get(String id) {
    return buckets.get(bucket(id)).getOrDefault(id, StepRecord.PENDING);
  }

  /** Returns the table in which a step has that state. */
  public StepTable with(String id, StepRecord step) {
    List<Map<String, StepRecord>> changed = new ArrayList<>(buckets);
    Map<String, StepRecord> its = new HashMap<>(changed.get(bucket(id)));
    its.put(id, step);
    changed.set(bucket(id), its);
    return new StepTable(changed);
  }

  /** Returns whether nothing has happened to any step. */
  public boolean isEmpty() {
    return buckets.stream().allMatch(Map::isEmpty);
  }

  /** Calls {@code action} for each step to which something has happened, in any order. */
  public void forEach(BiConsumer<String, StepRecord> action) {
    buckets.forEach(bucket -> bucket.forEach(action));
  }

  /** Returns the steps to which something has happened, by id and sorted by it. */
  @JsonValue
  public Map<String, StepRecord> asMap() {
    Map<String, StepRecord> all = new TreeMap<>();
    buckets.forEach(all::putAll);
    return all;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StepTable that && buckets.equals(that.buckets);
  }

  @Override
  public int hashCode() {
    return buckets.hashCode();
  }

  @Override
  public String toString() {
    return asMap().toString();
  }
}
