package dev.restitch.doctor;

import dev.restitch.doctor.NodeFacts.Rights;
import dev.restitch.doctor.Right.Denial;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.VoidOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds out which commands a user may not run: asks by {@code ACL DRYRUN} where that is to be had,
 * else tries those that only read. Blocks; writes nothing.
 */
final class RightsExam {

  private static final Duration ANSWER_IN = Duration.ofSeconds(3);

  private final RedisClusterAsyncCommands<byte[], byte[]> commands;
  private final String configured;

  /**
   * @param configured the user of the configuration; null: default
   */
  RightsExam(RedisClusterAsyncCommands<byte[], byte[]> commands, String configured) {
    this.commands = commands;
    this.configured = configured == null ? "default" : configured;
  }

  /** Fails only if the server does not answer. */
  Rights examine(List<Right> rights) throws Exception {
    String user = whoAmI();
    boolean dryRun = !rights.isEmpty() && dryRuns(user, rights.get(0));
    List<Denial> denied = new ArrayList<>();
    for (Right right : rights) {
      Optional<String> said =
          dryRun ? dryRun(user, right) : right.worker() ? Optional.empty() : attempt(right);
      said.ifPresent(words -> denied.add(new Denial(right, words)));
    }
    return new Rights(user, dryRun, denied);
  }

  private String whoAmI() throws Exception {
    try {
      return Timed.get(ANSWER_IN, commands.aclWhoami());
    } catch (RedisCommandExecutionException notAllowed) {
      return configured;
    }
  }

  private boolean dryRuns(String user, Right any) throws Exception {
    try {
      Timed.get(ANSWER_IN, ask(user, any));
      return true;
    } catch (RedisCommandExecutionException notToBeHad) {
      return false;
    }
  }

  /** What the server says against it; a command that it does not know is not held against it. */
  private Optional<String> dryRun(String user, Right right) throws Exception {
    try {
      String said = Timed.get(ANSWER_IN, ask(user, right));
      return "OK".equals(said) ? Optional.empty() : Optional.of(said);
    } catch (RedisCommandExecutionException unknownCommand) {
      return Optional.of(Timed.words(unknownCommand));
    }
  }

  private io.lettuce.core.RedisFuture<String> ask(String user, Right right) {
    return commands.aclDryRun(user, right.command(), right.arguments().toArray(String[]::new));
  }

  private Optional<String> attempt(Right right) throws Exception {
    CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
    right.arguments().forEach(a -> arguments.add(a.getBytes(StandardCharsets.UTF_8)));
    try {
      Timed.get(
          ANSWER_IN,
          commands.dispatch(
              CommandType.valueOf(right.command()),
              new VoidOutput<>(ByteArrayCodec.INSTANCE),
              arguments));
      return Optional.empty();
    } catch (RedisCommandExecutionException e) {
      String said = Timed.words(e);
      // in a cluster the key may live elsewhere: what is sent on is allowed
      return said.startsWith("NOPERM") || said.startsWith("ERR unknown")
          ? Optional.of(said)
          : Optional.empty();
    }
  }
}
