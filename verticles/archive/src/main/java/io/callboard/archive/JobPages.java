package io.callboard.archive;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Pages of ended jobs, by their ids. */
final class JobPages {
  private JobPages() {}

  /** Returns the views of a page. Part of a transaction. */
  static List<String> read(Connection connection, JobRowQuery query) throws SQLException {
    RowPage page = new RowPage("callboard_job");
    page.after(query.after(), query.ascending());
    page.createdAfter(query.createdAfter());
    page.endedAfter(query.endedAfter());
    page.equal("job_type", query.type());
    page.equal("state", query.state());
    page.text(connection, query.text());
    page.label("callboard_job_label", "job_id", query.label(), query.labelValue());
    return page.read(connection, query.ascending(), query.limit());
  }
}
