package io.callboard.examples.documents;

import io.callboard.examples.documents.Gazetteer.Mention;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * Step {@code index}: the documents in Lucene. A document that comes again replaces itself, so the
 * step may run more than once. Thread-safe.
 */
public final class DocumentIndex implements AutoCloseable {
  private static final String NAME = "name";
  private static final String TITLE = "title";
  private static final String LANGUAGE = "language";
  private static final String TEXT = "text";
  private static final String ENTITY = "entity";
  private static final String CHARS = "chars";

  private final Directory directory;
  private final IndexWriter writer;

  /**
   * Document of the index.
   *
   * @param name its name in its directory
   * @param title its title; empty if it has none
   * @param language code of its language
   * @param chars length of its text
   * @param entities names of the entities in it
   */
  public record Entry(
      String name, String title, String language, int chars, List<String> entities) {
    /** Copies the names. */
    public Entry {
      entities = List.copyOf(entities);
    }
  }

  private DocumentIndex(Directory directory, IndexWriter writer) {
    this.directory = directory;
    this.writer = writer;
  }

  /** Opens an index, which is made if it is not there. Blocks. */
  public static DocumentIndex open(Path path) throws IOException {
    Directory directory = FSDirectory.open(path);
    try {
      return new DocumentIndex(
          directory, new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer())));
    } catch (IOException | RuntimeException e) {
      directory.close();
      throw e;
    }
  }

  /** Adds or replaces a document; it is on disk when this returns. */
  public void put(String name, String title, String language, String text, List<Mention> entities)
      throws IOException {
    Document document = new Document();
    document.add(new StringField(NAME, name, Field.Store.YES));
    document.add(new TextField(TITLE, title, Field.Store.YES));
    document.add(new StringField(LANGUAGE, language, Field.Store.YES));
    document.add(new TextField(TEXT, text, Field.Store.NO));
    document.add(new StoredField(CHARS, text.length()));
    entities.forEach(
        entity -> document.add(new StringField(ENTITY, entity.name(), Field.Store.YES)));
    var updated = writer.updateDocument(new Term(NAME, name), document);
    var committed = writer.commit();
  }

  /** Returns all documents, by name. */
  public List<Entry> all() throws IOException {
    try (IndexReader reader = DirectoryReader.open(writer)) {
      Map<String, Entry> byName = new TreeMap<>();
      StoredFields stored = reader.storedFields();
      IndexSearcher searcher = new IndexSearcher(reader);
      int most = Math.max(1, reader.numDocs());
      for (ScoreDoc each : searcher.search(new MatchAllDocsQuery(), most).scoreDocs) {
        Document document = stored.document(each.doc);
        Entry entry =
            new Entry(
                document.get(NAME),
                document.get(TITLE),
                document.get(LANGUAGE),
                document.getField(CHARS).numericValue().intValue(),
                List.of(document.getValues(ENTITY)));
        byName.put(entry.name(), entry);
      }
      return new ArrayList<>(byName.values());
    }
  }

  /** Returns the number of documents; one that is there twice counts twice. */
  public int size() throws IOException {
    try (IndexReader reader = DirectoryReader.open(writer)) {
      return reader.numDocs();
    }
  }

  /** Returns the number of documents in which an entity is. */
  int documentsWith(String entity) throws IOException {
    try (IndexReader reader = DirectoryReader.open(writer)) {
      return reader.docFreq(new Term(ENTITY, entity));
    }
  }

  @Override
  public void close() throws IOException {
    writer.close();
    directory.close();
  }
}
