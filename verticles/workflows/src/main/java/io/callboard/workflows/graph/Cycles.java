package io.callboard.workflows.graph;

import io.callboard.time.Machine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cycles of a graph: its strongly connected components, by Tarjan's algorithm without recursion,
 * and a short cycle of each, by breadth-first search from its nodes: the shortest one, unless that
 * takes more than {@value #MOST_VISITS} visits of edges.
 */
@Machine
final class Cycles {
  /**
   * Number of visits of edges, for all components together, after which none is searched for a
   * shorter cycle than the one that is known; each is searched from one node in any case.
   */
  static final int MOST_VISITS = 5_000_000;

  private final int[][] sources;
  private final int[] component;
  private final List<int[]> components = new ArrayList<>();
  private final int[] queue; // of a search
  private final int[] distance; // from its start, plus one; 0 for what it has not reached
  private final int[] target; // on the way back to its start
  private int visits;

  /**
   * Finds the cycles of a graph.
   *
   * @param sources of each node, those of its edges
   * @param nodes those that may be on a cycle
   */
  Cycles(int[][] sources, int[] nodes) {
    this.sources = sources;
    this.component = new int[sources.length];
    this.queue = new int[sources.length];
    this.distance = new int[sources.length];
    this.target = new int[sources.length];
    Arrays.fill(component, -1);
    find(nodes);
  }

  /** Returns a short cycle of each component, in the direction of its edges. */
  List<int[]> shortest() {
    return components.stream().map(this::shortest).toList();
  }

  /** Returns whether a node is on a cycle. */
  boolean contains(int node) {
    return component[node] >= 0;
  }

  private void find(int[] nodes) {
    int[] number = new int[sources.length];
    int[] low = new int[sources.length];
    int[] next = new int[sources.length];
    boolean[] onStack = new boolean[sources.length];
    ArrayDeque<Integer> stack = new ArrayDeque<>();
    ArrayDeque<Integer> path = new ArrayDeque<>();
    int count = 0;
    for (int root : nodes) {
      if (number[root] > 0) {
        continue;
      }
      path.push(root);
      while (!path.isEmpty()) {
        int node = path.element();
        if (number[node] == 0) {
          number[node] = ++count;
          low[node] = count;
          stack.push(node);
          onStack[node] = true;
        }
        if (next[node] < sources[node].length) {
          int source = sources[node][next[node]++];
          if (number[source] == 0) {
            path.push(source);
          } else if (onStack[source]) {
            low[node] = Math.min(low[node], number[source]);
          }
        } else {
          path.pop();
          if (!path.isEmpty()) {
            low[path.element()] = Math.min(low[path.element()], low[node]);
          }
          if (low[node] == number[node]) {
            close(node, stack, onStack);
          }
        }
      }
    }
  }

  private void close(int root, ArrayDeque<Integer> stack, boolean[] onStack) {
    List<Integer> members = new ArrayList<>();
    int node;
    do {
      node = stack.pop();
      onStack[node] = false;
      members.add(node);
    } while (node != root);
    boolean cycle =
        members.size() > 1 || Arrays.stream(sources[root]).anyMatch(source -> source == root);
    if (cycle) {
      int[] sorted = members.stream().mapToInt(Integer::intValue).sorted().toArray();
      for (int member : sorted) {
        component[member] = components.size();
      }
      components.add(sorted);
    }
  }

  private int[] shortest(int[] members) {
    int[] best = new int[0];
    for (int start : members) {
      if (best.length == 1 || (best.length > 0 && visits >= MOST_VISITS)) {
        break;
      }
      int[] found = from(start, best.length == 0 ? Integer.MAX_VALUE : best.length - 1);
      if (found.length > 0) {
        best = found;
      }
    }
    return best;
  }

  /** Returns a cycle through a node of at most so many nodes; empty if there is none. */
  private int[] from(int start, int most) {
    int end = 0;
    queue[end++] = start;
    distance[start] = 1;
    int[] found = new int[0];
    for (int next = 0; next < end && found.length == 0; next++) {
      int node = queue[next];
      if (distance[node] > most) {
        break;
      }
      for (int source : sources[node]) {
        visits++;
        if (source == start) {
          found = path(node, start, distance[node]);
          break;
        } else if (component[source] == component[start] && distance[source] == 0) {
          distance[source] = distance[node] + 1;
          target[source] = node;
          queue[end++] = source;
        }
      }
    }
    for (int i = 0; i < end; i++) {
      distance[queue[i]] = 0;
    }
    return found;
  }

  /** Returns the way from {@code start} over {@code first} along the edges. */
  private int[] path(int first, int start, int length) {
    int[] path = new int[length];
    path[0] = start;
    int node = first;
    for (int i = 1; i < length; i++) {
      path[i] = node;
      node = target[node];
    }
    return path;
  }
}
