package dev.restitch.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** Each command, option and parameter says what it is for. */
class DescriptionsTest {

  static List<CommandSpec> commands() {
    return all(RestitchMain.commandLine()).toList();
  }

  private static Stream<CommandSpec> all(CommandLine line) {
    return Stream.concat(
        Stream.of(line.getCommandSpec()),
        line.getSubcommands().values().stream().flatMap(DescriptionsTest::all));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void shouldDescribeEveryCommandAndOption(CommandSpec command) {
    assertThat(command.usageMessage().description()).as(command.qualifiedName()).isNotEmpty();
    for (ArgSpec argument : command.args()) {
      assertThat(argument.description())
          .as(command.qualifiedName() + " " + argument.paramLabel() + " " + argument)
          .isNotEmpty();
      assertThat(String.join(" ", argument.description())).isNotBlank();
    }
    assertThat(command.commandLine().getUsageMessage()).contains("Usage: restitch");
  }
}
