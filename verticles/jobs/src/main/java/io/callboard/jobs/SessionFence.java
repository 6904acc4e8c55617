package io.callboard.jobs;

import io.callboard.Broadcast;
import io.callboard.Callboard;
import io.callboard.cell.CellListener;
import io.callboard.jobs.internal.actor.HostMonitor;
import io.callboard.jobs.internal.actor.JobNews;
import io.callboard.jobs.internal.protocol.MonitorCommand;
import io.callboard.jobs.internal.runner.Runner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listener of this node's session: ends the runs of this host when the session has ended, and makes
 * the host report when it lives again or the gate has started.
 */
final class SessionFence {
  private static final Logger log = LoggerFactory.getLogger(SessionFence.class);

  private final Callboard callboard;
  private final Runner runner;
  private final Broadcast<JobNews> news;
  private volatile Runnable unsubscribe = () -> {};

  SessionFence(Callboard callboard, Runner runner, Broadcast<JobNews> news) {
    this.callboard = callboard;
    this.runner = runner;
    this.news = news;
  }

  /** Starts to listen. */
  void listen() {
    callboard.listen(
        new CellListener() {
          @Override
          public void sessionLives(long untilNanos) {
            mayRunUntil(untilNanos);
          }

          @Override
          public void sessionLost() {
            fence();
            reportNow();
          }
        });
    unsubscribe =
        news.subscribe(
            what -> {
              if (what instanceof JobNews.GateStarted) {
                reportNow();
              }
            });
  }

  private void mayRunUntil(long untilNanos) {
    runner
        .mayRunUntil(untilNanos)
        .onSuccess(
            ended -> {
              if (ended) {
                reportNow();
              }
            })
        .onFailure(
            cause ->
                log.error(
                    "the guard process of this host's runs does not know that its session lives",
                    cause));
  }

  private void reportNow() {
    callboard
        .ref(HostMonitor.path(callboard.node()), MonitorCommand.class)
        .tell(new MonitorCommand.Report())
        .onFailure(cause -> log.debug("the host monitor is not running yet", cause));
  }

  /** Ends all runs of this host, which other hosts may run again by now. */
  private void fence() {
    log.warn("the ZooKeeper session of this node is lost: all job runs of this host are killed");
    runner
        .killAll("its host lost its session")
        .onFailure(
            cause ->
                log.error(
                    "job runs of this host could not be killed and may still be alive", cause));
  }

  /** Ends the reports to gates that start. */
  void close() {
    unsubscribe.run();
  }
}
