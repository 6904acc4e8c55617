package io.callboard.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Command that prints the output of a step of an instance. */
@Command(
    description =
        "Prints the output of a step as JSON, whole, also if it is over 24 KiB and the instance has it by reference.")
final class WorkflowOutput extends ClientCommand {
  @Parameters(
      index = "0",
      paramLabel = "ID",
      description = "Id of the instance, or a unique beginning of it.")
  String id = "";

  @Parameters(index = "1", paramLabel = "STEP", description = "Id of the step.")
  String step = "";

  @Override
  public Integer call() throws IOException {
    String path = "/workflows/" + encoded(ShortIds.instance(this, id));
    JsonNode output = get(path + "/outputs/" + encoded(step));
    print(json ? output.toString() : output.toPrettyString());
    return 0;
  }
}
