package io.callboard.bench;

import io.callboard.ActorOptions;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;

/** A JVM with a candidate for the role that {@link Failover} asks. */
final class Candidate {
  static final String ROLE = "oracle";

  /** Question to the role. */
  record Question() {}

  /** Answer with the holder of the role. */
  record Answer(String node, long asked) {}

  record Asked(long count) {}

  private static final class Oracle extends DurableStateActor<Question, Asked> {
    private final String node;

    Oracle(String node) {
      this.node = node;
    }

    @Override
    protected Asked initial() {
      return new Asked(0);
    }

    @Override
    protected void protocol(Protocol<Question> on) {
      on.message(
          Question.class,
          question -> {
            update(new Asked(state().count() + 1));
            reply(new Answer(node, state().count()));
          });
    }
  }

  private Candidate() {}

  public static void main(String[] arguments) throws Exception {
    Child.endWithParent();
    Node node = Node.clustered(arguments[0], arguments[1]);
    Runtime.getRuntime().addShutdownHook(new Thread(node::close, "close"));
    Grid grid = Node.await(Grid.start(node.callboard(), GridOptions.DEFAULT));
    var unused = Node.await(grid.role(ROLE, () -> new Oracle(arguments[1]), new ActorOptions()));
    Child.say("ready");
  }
}
