package io.callboard.workflows.graph;

import io.callboard.time.Machine;
import java.util.Arrays;

/** Topological order of a graph, by Kahn's algorithm: sources first, else by index. */
@Machine
final class TopologicalOrder {
  private final int[] sorted;
  private final int[] unsorted;

  /**
   * Sorts a graph.
   *
   * @param sources of each node, those of its edges
   */
  TopologicalOrder(int[][] sources) {
    int size = sources.length;
    int[] waiting = new int[size];
    int[] counts = new int[size];
    for (int node = 0; node < size; node++) {
      waiting[node] = sources[node].length;
      for (int source : sources[node]) {
        counts[source]++;
      }
    }
    int[][] targets = new int[size][];
    for (int node = 0; node < size; node++) {
      targets[node] = new int[counts[node]];
    }
    for (int node = 0; node < size; node++) {
      for (int source : sources[node]) {
        targets[source][--counts[source]] = node;
      }
    }
    int[] queue = new int[size];
    int end = 0;
    for (int node = 0; node < size; node++) {
      if (waiting[node] == 0) {
        queue[end++] = node;
      }
    }
    for (int next = 0; next < end; next++) {
      int[] its = targets[queue[next]];
      for (int i = its.length - 1; i >= 0; i--) { // filled from behind
        if (--waiting[its[i]] == 0) {
          queue[end++] = its[i];
        }
      }
    }
    sorted = Arrays.copyOf(queue, end);
    unsorted = new int[size - end];
    int left = 0;
    for (int node = 0; node < size; node++) {
      if (waiting[node] > 0) {
        unsorted[left++] = node;
      }
    }
  }

  /** Returns the nodes in order, as far as they can be sorted. */
  int[] sorted() {
    return sorted;
  }

  /** Returns the nodes that are on a cycle, or behind one. */
  int[] unsorted() {
    return unsorted;
  }
}
