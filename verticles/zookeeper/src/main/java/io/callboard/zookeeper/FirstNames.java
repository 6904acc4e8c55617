package io.callboard.zookeeper;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Of any number of paths, the first by their last parts, in that order; the rest is not kept. */
final class FirstNames {
  private static final Comparator<String> ORDER = Comparator.comparing(Reads::name);

  private final int limit;
  private final PriorityQueue<String> last = new PriorityQueue<>(ORDER.reversed());

  FirstNames(int limit) {
    this.limit = limit;
  }

  void offer(String path) {
    last.add(path);
    if (last.size() > limit) {
      last.remove();
    }
  }

  List<String> paths() {
    return last.stream().sorted(ORDER).toList();
  }
}
