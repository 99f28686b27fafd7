package dev.restitch.writer.io;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/** Small words for completion stages. */
public final class Stages {

  private Stages() {}

  /**
   * Completes with all results, in order, once every stage has ended; fails with the first failure
   * in order.
   */
  public static <T> CompletionStage<List<T>> all(List<? extends CompletionStage<T>> stages) {
    List<CompletableFuture<T>> futures = new ArrayList<>(stages.size());
    stages.forEach(stage -> futures.add(stage.toCompletableFuture()));
    return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new))
        .handle((nothing, failure) -> futures.stream().map(CompletableFuture::join).toList());
  }

  /** A stage of what the function returns or throws. */
  public static <T, R> CompletionStage<R> compose(
      T argument, Function<? super T, ? extends CompletionStage<R>> function) {
    try {
      return function.apply(argument);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** The error itself, without the wrappers of completion stages. */
  public static Throwable cause(Throwable failure) {
    Throwable at = failure;
    while ((at instanceof CompletionException || at instanceof ExecutionException)
        && at.getCause() != null) {
      at = at.getCause();
    }
    return at;
  }
}
