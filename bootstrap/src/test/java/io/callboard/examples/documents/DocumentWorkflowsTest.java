package io.callboard.examples.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.DefinitionReader;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The definitions of the example: each is written twice, and both are the same version. */
class DocumentWorkflowsTest {
  private static CheckedDefinition yaml(String name) throws Exception {
    try (InputStream in = DocumentWorkflows.class.getResourceAsStream(name + ".yaml")) {
      assertThat(in).as(name).isNotNull();
      DefinitionReader.Result result =
          DefinitionReader.yaml(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      assertThat(result.defects()).isEmpty();
      return result.definition().orElseThrow();
    }
  }

  @Test
  void theYamlAndTheJavaOfADocumentAreTheSame() throws Exception {
    CheckedDefinition java = DocumentWorkflows.indexDocument();
    CheckedDefinition yaml = yaml("index-document");
    assertThat(yaml.definition()).isEqualTo(java.definition());
    assertThat(yaml.version()).isEqualTo(java.version());
  }

  @Test
  void theYamlAndTheJavaOfTheReportAreTheSame() throws Exception {
    assertThat(yaml("report-library").version())
        .isEqualTo(DocumentWorkflows.reportLibrary().version());
  }
}
