package io.callboard.examples.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspaceTest {
  @TempDir Path directory;

  @Test
  void aFileOfAnInstanceIsReplacedAndClearedWithIt() throws Exception {
    Workspace workspace = new Workspace(directory);
    String first = workspace.write("1", "raw.txt", "ä");
    assertThat(workspace.write("1", "raw.txt", "ö")).isEqualTo(first);
    String other = workspace.write("2", "raw.txt", "ü");
    assertThat(workspace.read(first)).isEqualTo("ö");
    workspace.clear("1");
    workspace.clear("1");
    assertThat(workspace.scratch("1")).doesNotExist();
    assertThat(workspace.read(other)).isEqualTo("ü");
  }

  @Test
  void theLibraryOfTheExampleHasOneDocumentThatIsNoText() throws Exception {
    Library.write(directory);
    Files.writeString(directory.resolve(".hidden"), "");
    assertThat(Library.documents(directory, 100)).hasSize(15);
    assertThat(Library.documents(directory, 3)).hasSize(3);
    int unreadable = 0;
    for (Path document : Library.documents(directory, 100)) {
      try {
        assertThat(DocumentReading.read(document).text()).isNotBlank();
      } catch (UnreadableDocument e) {
        unreadable++;
      }
    }
    assertThat(unreadable).isEqualTo(1);
  }

  @Test
  void theCatalogueRefusesSomeDocumentsOnceAndKnowsEachKey() throws Exception {
    Catalogue catalogue = new Catalogue();
    int refused = 0;
    for (int i = 0; i < 30; i++) {
      String document = "document-" + i;
      try {
        assertThat(catalogue.announce(document, document, 1)).isTrue();
      } catch (IOException e) {
        refused++;
        assertThat(catalogue.announce(document, document, 2)).isTrue();
      }
      assertThat(catalogue.announce(document, document, 2)).isFalse();
    }
    assertThat(refused).isBetween(5, 15);
    assertThatThrownBy(() -> catalogue.announce("c", "c", 1)).hasMessageContaining("on purpose");
  }
}
