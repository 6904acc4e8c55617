package io.callboard.dashboard;

import io.callboard.dashboard.internal.contract.Contract;
import io.callboard.workflows.definition.DefinitionSchema;

/**
 * Files that a dashboard serves.
 *
 * @param contract contract of the REST interface
 * @param page the page
 * @param schema JSON Schema of definitions of workflows
 */
@SuppressWarnings("ArrayRecordComponent")
record ServedFiles(Contract contract, Page page, byte[] schema) {
  /** Reads the files; blocks shortly. */
  static ServedFiles read() {
    return new ServedFiles(Contract.read(), Page.read(), DefinitionSchema.read());
  }
}
