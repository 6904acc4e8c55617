package io.callboard.archive;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Pages of ended workflow instances, by their ids. */
final class WorkflowPages {
  private WorkflowPages() {}

  /** Returns the views of a page. Part of a transaction. */
  static List<String> read(Connection connection, WorkflowRowQuery query) throws SQLException {
    RowPage page = new RowPage("callboard_workflow");
    page.after(query.after(), query.ascending());
    page.createdAfter(query.createdAfter());
    page.equal("definition", query.definition());
    page.equal("definition_version", query.version());
    page.equal("state", query.state());
    page.text(connection, query.text());
    page.label("callboard_workflow_label", "workflow_id", query.label(), query.labelValue());
    return page.read(connection, query.ascending(), query.limit());
  }
}
