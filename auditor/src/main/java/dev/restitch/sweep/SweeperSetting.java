package dev.restitch.sweep;

import dev.restitch.avro.Sweep;
import dev.restitch.config.SweepConfig;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What the sweepers of all stores share.
 *
 * @param owner this auditor, in sweep marks
 * @param owns says which nodes, by {@code store/host:port}, are ours to sweep
 * @param readToEnd completes when the book holds all that others have told
 * @param tell tells others how a node's sweep stands; completes when the brokers have it
 * @param all counts every key
 */
record SweeperSetting(
    SweepConfig limits,
    String owner,
    Predicate<String> owns,
    SweepBook book,
    Supplier<CompletableFuture<Void>> readToEnd,
    Function<Sweep, CompletableFuture<Void>> tell,
    Tally all,
    Clock clock) {}
