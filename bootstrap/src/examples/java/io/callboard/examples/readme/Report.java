package io.callboard.examples.readme;

import io.callboard.dashboard.DashboardServer;
import io.callboard.jobs.Jobs;
import io.callboard.node.CallboardNode;
import io.callboard.node.NodeOptions;
import java.nio.file.Path;

/** Report for a customer: written later, again if that fails, elsewhere if its node dies. */
public record Report(String customer, int year) {
  public static void main(String[] args) throws InterruptedException {
    NodeOptions options = new NodeOptions().directory(Path.of("data"));
    try (CallboardNode node =
        CallboardNode.start(options.with(Jobs.part()).with(DashboardServer.on(8080)))) {
      Jobs jobs = node.part(Jobs.class);
      jobs.handle(
              "report",
              Report.class,
              job -> {
                job.progress("writing for " + job.args().customer());
                return job.args().customer() + "-" + job.args().year() + ".pdf";
              })
          .await();
      jobs.submit("report", new Report("acme", 2026)).await();
      System.out.println("see its job at " + node.part(DashboardServer.class).url());
      Thread.currentThread().join();
    }
  }
}
