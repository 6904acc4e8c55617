package io.callboard.pollers.internal.sqs;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Contents of requests and answers, between the streams of the SDK and buffers. */
final class Bodies {
  private Bodies() {}

  /** Returns all that a publisher has, which is in memory already. */
  static Future<Buffer> collected(Publisher<ByteBuffer> publisher) {
    Promise<Buffer> whole = Promise.promise();
    Buffer collected = Buffer.buffer();
    publisher.subscribe(
        new Subscriber<>() {
          @Override
          public void onSubscribe(Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
          }

          @Override
          public void onNext(ByteBuffer part) {
            byte[] bytes = new byte[part.remaining()];
            part.get(bytes);
            collected.appendBytes(bytes);
          }

          @Override
          public void onError(Throwable failure) {
            whole.fail(failure);
          }

          @Override
          public void onComplete() {
            whole.complete(collected);
          }
        });
    return whole.future();
  }

  /** Returns a publisher of one part. */
  static Publisher<ByteBuffer> published(ByteBuffer part) {
    return subscriber -> subscriber.onSubscribe(new Once(subscriber, part));
  }

  /** Subscription to one part. */
  private record Once(
      Subscriber<? super ByteBuffer> subscriber, ByteBuffer part, AtomicBoolean ended)
      implements Subscription {
    Once(Subscriber<? super ByteBuffer> subscriber, ByteBuffer part) {
      this(subscriber, part, new AtomicBoolean());
    }

    @Override
    public void request(long parts) {
      if (parts > 0 && ended.compareAndSet(false, true)) {
        subscriber.onNext(part);
        subscriber.onComplete();
      }
    }

    @Override
    public void cancel() {
      ended.set(true);
    }
  }
}
