package io.callboard.examples.search;

import io.callboard.Actor;
import io.callboard.Protocol;
import io.callboard.examples.search.Corpus.Entry;
import io.callboard.examples.search.Indexer.Message;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;

/**
 * Makes sure that one share of one tree has its index on disk: leaves it if it is complete, copies
 * it from the twin in the other tree if that is, else reads the documents, a slice a turn so that
 * it can be stopped between two. Tells the overseer and rests. It blocks: zone {@link
 * SearchZones#INDEXING}.
 */
final class Indexer extends Actor<Message> {
  private static final int SLICE = 100;

  /** Its own steps. */
  sealed interface Message {
    /** Look what is there. */
    record Begin() implements Message {}

    /** Index some documents. */
    record Slice() implements Message {}
  }

  private final String tree;
  private final int share;
  private final List<Entry> documents;
  private final Path path;
  private final Path twin;
  private final String fingerprint;
  private @Nullable Work work;

  Indexer(String tree, int share, List<Entry> documents, Path path, Path twin) {
    this.tree = tree;
    this.share = share;
    this.documents = documents;
    this.path = path;
    this.twin = twin;
    this.fingerprint = Corpus.fingerprint(documents);
  }

  @Override
  protected void protocol(Protocol<Message> on) {
    on.message(Message.Begin.class, begin -> begin())
        .message(Message.Slice.class, slice -> slice());
  }

  @Override
  protected Future<?> started() {
    tell(self(), new Message.Begin());
    return Future.succeededFuture();
  }

  @Override
  protected Future<?> stopped() {
    try {
      if (work != null) {
        work.close();
      }
      return Future.succeededFuture();
    } catch (IOException e) {
      return Future.failedFuture(e);
    }
  }

  private void begin() {
    try (Directory here = SearchIndex.directory(path)) {
      if (isComplete(here)) {
        done("found");
      } else if (copied(here)) {
        done("copied");
      } else {
        work = new Work();
        tell(self(), new Message.Slice());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isComplete(Directory directory) throws IOException {
    return SearchIndex.fingerprint(directory).filter(fingerprint::equals).isPresent();
  }

  private boolean copied(Directory here) throws IOException {
    try (Directory there = SearchIndex.directory(twin)) {
      if (!isComplete(there)) {
        return false;
      }
      try (IndexWriter writer = SearchIndex.writer(here)) {
        var unused = writer.addIndexes(there);
        SearchIndex.complete(writer, fingerprint);
      }
      return true;
    }
  }

  private void slice() {
    if (work == null) {
      return; // a slice of the life before
    }
    try {
      if (work.slice()) {
        tell(self(), new Message.Slice());
      } else {
        work.close();
        work = null;
        done("made");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void done(String how) {
    tell(
        callboard().ref(Tree.OVERSEER, Overseer.Message.class),
        new Overseer.Message.Indexed(tree, share, how));
  }

  /** An index being made. */
  private final class Work implements AutoCloseable {
    private final Directory directory;
    private final IndexWriter writer;
    private final CorpusReader reader = new CorpusReader();
    private final Iterator<Entry> rest = documents.iterator();

    Work() throws IOException {
      directory = SearchIndex.directory(path);
      try {
        writer = SearchIndex.writer(directory);
      } catch (IOException | RuntimeException e) {
        directory.close();
        throw e;
      }
    }

    /** Whether there is more to do. */
    boolean slice() throws IOException {
      for (int i = 0; i < SLICE && rest.hasNext(); i++) {
        Entry entry = rest.next();
        Optional<String> text = reader.read(entry);
        if (text.isPresent()) {
          var unused = writer.addDocument(SearchIndex.document(entry.id(), text.get()));
        }
      }
      if (rest.hasNext()) {
        return true;
      }
      SearchIndex.complete(writer, fingerprint);
      return false;
    }

    @Override
    public void close() throws IOException {
      reader.close();
      writer.rollback(); // what is complete is committed
      directory.close();
    }
  }
}
