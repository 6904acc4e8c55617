package io.callboard.dashboard.internal.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.jobs.model.JobLog;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts repeated readings of a log into server-sent events: {@code reset} with all that is
 * known, {@code append} with what was added, {@code end} when the run has ended. Keeps only the
 * last few characters of what was sent. Pure.
 */
final class LogTail {
  private static final int REMEMBERED = 2_048;

  private int run = -1;
  private int length;
  private String end = "";
  private boolean over;

  /** Returns the events for a new reading; none if nothing changed. */
  List<String> next(JobLog log) {
    List<String> events = new ArrayList<>();
    String text = log.text();
    int from = run == log.runId() ? known(log) : -1;
    if (from < 0) {
      events.add(event("reset", data(log).put("text", text).put("truncated", log.truncated())));
    } else if (from < text.length()) {
      events.add(event("append", data(log).put("text", text.substring(from))));
    }
    run = log.runId();
    length = text.length();
    end = text.substring(Math.max(0, length - REMEMBERED));
    if (log.complete() && !over) {
      over = true;
      events.add(event("end", data(log)));
    }
    return events;
  }

  /** Returns whether the run has ended and everything was sent. */
  boolean isOver() {
    return over;
  }

  /** Returns how much of the text was sent before; -1 if that cannot be determined. */
  private int known(JobLog log) {
    String text = log.text();
    if (text.length() >= length && text.startsWith(end, length - end.length())) {
      return length;
    }
    int at = log.truncated() && !end.isEmpty() ? text.lastIndexOf(end) : -1;
    return at < 0 ? -1 : at + end.length();
  }

  private static ObjectNode data(JobLog log) {
    return JsonNodeFactory.instance.objectNode().put("run", log.runId());
  }

  private static String event(String name, ObjectNode data) {
    return "event: " + name + "\ndata: " + data + "\n\n";
  }
}
