package io.callboard.examples.tutorial.refunds;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.dashboard.Dashboard;
import io.callboard.dashboard.DashboardOptions;
import io.callboard.examples.tutorial.bank.Guarded;
import io.callboard.examples.tutorial.durable.BoxOffice;
import io.callboard.node.CallboardNode;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;

/** The box office with refunds, over HTTP, and a dashboard. */
public final class Main {
  private Main() {}

  /** Runs a node; the arguments are its directory and the address of the bank. */
  public static void main(String[] arguments) {
    CallboardNode node = BoxOffice.start(arguments[0]);
    Callboard callboard = node.callboard();
    BoxOffice.host(callboard).await();
    Guarded.bank(callboard, arguments[1]).await();
    callboard.host("/refunds", Refund::new, new ActorOptions()).await();

    Router router = RefundApi.router(callboard);
    router
        .route("/callboard/*")
        .subRouter(node.add(Dashboard.part(new DashboardOptions())).router());
    HttpServer server =
        node.vertx()
            .createHttpServer(Dashboard.serverOptions(new HttpServerOptions()))
            .requestHandler(router)
            .listen(0, "127.0.0.1")
            .await();
    node.onClose("HTTP", server::shutdown);
    System.out.println("http://127.0.0.1:" + server.actualPort());
  }
}
