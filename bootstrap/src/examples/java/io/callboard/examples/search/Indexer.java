package io.callboard.examples.search;

import io.callboard.Protocol;
import io.callboard.examples.search.Corpus.Entry;
import io.callboard.examples.search.Indexer.Message;
import io.callboard.proxy.ProxyActor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;

/**
 * Makes the index of one share: copies it from the twin in the other tree if that is complete and
 * on this machine, else reads the documents, a slice a turn so that it can be stopped between two;
 * then it ends. It reads and writes for seconds or minutes, so it runs in the zone {@code
 * blocking}.
 */
final class Indexer extends ProxyActor<Message> {
  private static final int SLICE = 100;

  /** Message to an indexer. */
  sealed interface Message {
    /** Answered with {@link Indexed} when the index is complete; sent once. */
    record Index() implements Message {}

    /** Next step, sent by the indexer to itself. */
    record Slice() implements Message {}
  }

  /** The index is complete: copied or made. */
  record Indexed(String how) {}

  private final List<Entry> documents;
  private final Path path;
  private final Path twin;
  private final String fingerprint;
  private final Promise<Indexed> outcome = Promise.promise();
  private @Nullable Work work;

  Indexer(List<Entry> documents, Path path, Path twin, String fingerprint) {
    this.documents = documents;
    this.path = path;
    this.twin = twin;
    this.fingerprint = fingerprint;
  }

  @Override
  protected void protocol(Protocol<Message> on) {
    on.message(Message.Index.class, index -> index())
        .message(Message.Slice.class, slice -> slice());
  }

  @Override
  protected Future<?> stopped() {
    outcome.tryFail("the indexer of %s was stopped".formatted(path));
    try {
      if (work != null) {
        work.close();
      }
      return Future.succeededFuture();
    } catch (IOException e) {
      return Future.failedFuture(e);
    }
  }

  private void index() {
    replyWhen(outcome.future());
    try {
      if (isCopied()) {
        end("copied");
      } else {
        work = new Work();
        tell(self(), new Message.Slice());
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  private boolean isCopied() throws IOException {
    if (!SearchIndex.isComplete(twin, fingerprint)) {
      return false;
    }
    try (Directory here = SearchIndex.directory(path);
        Directory there = SearchIndex.directory(twin);
        IndexWriter writer = SearchIndex.writer(here)) {
      var unused = writer.addIndexes(there);
      SearchIndex.complete(writer, fingerprint);
      return true;
    }
  }

  private void slice() {
    if (work == null) {
      return;
    }
    try {
      if (work.slice()) {
        tell(self(), new Message.Slice());
      } else {
        work.close();
        work = null;
        end("made");
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  private void end(String how) {
    outcome.complete(new Indexed(how));
    stopSelf();
  }

  /**
   * Answers with the failure: the node's start fails with it, and the node's supervisor decides.
   */
  private void fail(IOException cause) {
    outcome.fail(cause);
    stopSelf();
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

    /** Indexes a part of the documents; returns whether there is more to do. */
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
