package io.callboard.workflows.internal.protocol;

/**
 * Identity of one life of a worker. A boot of a node has one worker at a time; each restart of its
 * actor begins another life, in which no run of an earlier one goes on.
 *
 * @param node name of the node
 * @param boot boot id of the node
 * @param life number of the life within the boot, from 1
 */
public record WorkerId(String node, String boot, int life) {
  @Override
  public String toString() {
    return node + "/" + boot + "/" + life;
  }
}
