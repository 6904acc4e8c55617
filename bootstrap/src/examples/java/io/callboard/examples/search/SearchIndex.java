package io.callboard.examples.search;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * Documents in Lucene. The commit that completes an index carries the fingerprint of its documents:
 * an index without it is not complete, one with another fingerprint holds other documents.
 */
final class SearchIndex {
  /** The name of a document, for sorting and showing. */
  static final String ID = "id";

  /** Field of the text, which a query searches unless it names another field. */
  static final String TEXT = "text";

  /** The words of its name. */
  static final String NAME = "name";

  /** Fields that a query may search. */
  static final List<String> FIELDS = List.of(TEXT, NAME);

  /** Analyzer, which is never closed; each thread has its own parts of it. */
  static final Analyzer ANALYZER = new StandardAnalyzer();

  private static final String FINGERPRINT = "fingerprint";
  private static final FieldType TEXT_TYPE = textType();

  private SearchIndex() {}

  private static FieldType textType() {
    FieldType type = new FieldType(TextField.TYPE_STORED);
    type.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS); // for snippets
    type.freeze();
    return type;
  }

  static Directory directory(Path path) throws IOException {
    return FSDirectory.open(path);
  }

  /** Returns a writer of a new index, which replaces anything in the directory. */
  static IndexWriter writer(Directory directory) throws IOException {
    return new IndexWriter(
        directory,
        new IndexWriterConfig(ANALYZER)
            .setOpenMode(IndexWriterConfig.OpenMode.CREATE)
            .setCommitOnClose(false)
            .setRAMBufferSizeMB(32));
  }

  static Document document(String id, String text) {
    Document document = new Document();
    document.add(new SortedDocValuesField(ID, new BytesRef(id)));
    document.add(new TextField(NAME, id.replaceAll("[^\\p{L}\\p{N}]+", " "), Field.Store.NO));
    document.add(new Field(TEXT, text, TEXT_TYPE));
    return document;
  }

  /** Makes the written documents durable and the index complete. */
  static void complete(IndexWriter writer, String fingerprint) throws IOException {
    writer.setLiveCommitData(Map.of(FINGERPRINT, fingerprint).entrySet());
    var unused = writer.commit();
  }

  static boolean isComplete(Path path, String fingerprint) throws IOException {
    try (Directory directory = directory(path)) {
      return isComplete(directory, fingerprint);
    }
  }

  /** Returns whether there is a complete index of the documents with that fingerprint. */
  static boolean isComplete(Directory directory, String fingerprint) throws IOException {
    return DirectoryReader.indexExists(directory)
        && fingerprint.equals(
            SegmentInfos.readLatestCommit(directory).getUserData().get(FINGERPRINT));
  }
}
