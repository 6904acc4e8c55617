package io.callboard.examples.tutorial.orders;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.dashboard.DashboardServer;
import io.callboard.examples.tutorial.orders.Orders.Till.Command;
import io.callboard.examples.tutorial.orders.Orders.Till.Sales;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.handler.JobContext;
import io.callboard.node.CallboardNode;
import io.callboard.node.NodeOptions;
import io.callboard.pollers.Sources;
import io.callboard.workflows.StepContext;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.definition.Workflow;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Takes orders of seats from a directory, adds them up, and writes an invoice for each. */
public final class Orders {
  private static final int SEAT_CENTS = 4_500;

  /** Arguments of the job, of what its step sees. */
  private static final Map<String, String> INVOICE =
      Map.of("order", "${/input/order}", "cents", "${/outputs/price}");

  private final Path invoices;
  private final ActorRef<Command> till;

  /** Arguments of a job. */
  record Invoice(String order, int cents) {}

  /** Actor that adds up the orders; each counts once, however often it is reported. */
  static final class Till extends DurableStateActor<Command, Sales> {
    /** Commands to it. */
    sealed interface Command {
      /** Reports an order. Answered with the {@link Sales}. */
      record Sold(String order, int cents) implements Command {}
    }

    /** Orders with their prices. */
    record Sales(TreeMap<String, Integer> cents) {}

    @Override
    protected Sales initial() {
      return new Sales(new TreeMap<>());
    }

    @Override
    protected void protocol(Protocol<Command> on) {
      on.message(Command.Sold.class, this::sold);
    }

    private void sold(Command.Sold sold) {
      TreeMap<String, Integer> all = new TreeMap<>(state().cents());
      all.put(sold.order(), sold.cents());
      update(new Sales(all));
      reply(state());
      int sum = all.values().stream().mapToInt(Integer::intValue).sum();
      afterCommit(() -> System.out.println(all.size() + " orders, " + sum + " cents"));
    }
  }

  private Orders(CallboardNode node, Path invoices) {
    this.invoices = invoices;
    this.till = node.callboard().durableRef("/tills/main", Command.class);
  }

  /**
   * Runs the application.
   *
   * @param arguments directory of the node, port of the page, file with the sources
   */
  public static void main(String[] arguments) throws Exception {
    Path data = Path.of(arguments[0]);
    CallboardNode node =
        CallboardNode.start(
            new NodeOptions().directory(data).with(Jobs.part()).with(Workflows.part()));
    node.closed().onFailure(failure -> System.exit(1));
    Orders orders = new Orders(node, Files.createDirectories(data.resolve("invoices")));
    orders.offer(node).await(30, TimeUnit.SECONDS);
    node.add(Sources.from(Path.of(arguments[2])));
    DashboardServer page = node.add(DashboardServer.on(Integer.parseInt(arguments[1])));
    System.out.println("ready: " + page.url());
  }

  /** Offers the actor, the steps and the job of this application, and stores its workflow. */
  private Future<?> offer(CallboardNode node) {
    Workflows workflows = node.part(Workflows.class);
    workflows.workers().handle("price", step -> Future.succeededFuture(price(step)));
    workflows.workers().handle("sell", this::sell);
    return node.callboard()
        .host("/tills", Till::new, new ActorOptions())
        .compose(hosted -> node.part(Jobs.class).handle("invoice", Invoice.class, this::write))
        .compose(offered -> workflows.put(workflow().build().definition()));
  }

  private static Workflow workflow() {
    return Workflow.define("order")
        .step("price", "handler:price", step -> step)
        .step("sell", "handler:sell", step -> step.after("price"))
        .step("bill", "job", step -> step.after("sell").job("invoice", INVOICE));
  }

  private static IntNode price(StepContext step) {
    return IntNode.valueOf(SEAT_CENTS * step.input().at("/input/seats").asInt());
  }

  private Future<JsonNode> sell(StepContext step) {
    String order = step.input().at("/input/order").asText();
    int cents = step.input().at("/outputs/price").asInt();
    return till.ask(new Command.Sold(order, cents), Sales.class)
        .map(sales -> IntNode.valueOf(sales.cents().size()));
  }

  /** Runs as a job, again if its node died: so it writes beside and renames. */
  private String write(JobContext<Invoice> job) throws IOException {
    Path file = invoices.resolve(job.args().order() + ".txt");
    Path draft = invoices.resolve(job.job() + ".draft");
    Files.writeString(draft, job.args().order() + ": " + job.args().cents() + " cents\n");
    Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
    job.log("wrote " + file);
    return file.toString();
  }
}
