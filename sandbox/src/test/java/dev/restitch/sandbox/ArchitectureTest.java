package dev.restitch.sandbox;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The dependency table of the architecture, as tests. */
class ArchitectureTest {

  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.restitch");

  private static final JavaClasses SERVICES = OURS.that(module("auditor", "repair-worker"));

  /** Lettuce's commands that change a key, or may. */
  private static final String WRITES =
      "set|setGet|setex|setnx|psetex|getset|getdel|getex|append|setrange|setbit|mset|msetnx|del"
          + "|unlink|rename.*|copy|move|restore|migrate|p?expire(at)?|persist|incr.*|decr.*"
          + "|h(set|setnx|mset|del|incrby.*|p?expire.*|persist)|[lr]push.*|[lr]pop|lset|ltrim|lrem"
          + "|linsert|lmove|s(add|rem|move|pop)|z(add.*|rem.*|incrby|pop.*)|x(add|del|trim.*)"
          + "|eval|evalsha|fcall|flush(all|db).*";

  @ParameterizedTest
  @ValueSource(strings = {"schemas", "writer", "auditor", "repair-worker", "sandbox"})
  void shouldSeeEveryModule(String module) {
    assertThat(OURS.that(module(module))).hasSizeGreaterThan(5);
  }

  @Test
  void shouldLetSchemasDependOnNothingOfOurs() {
    mayNotDependOn("schemas", "writer", "auditor", "repair-worker", "sandbox");
  }

  @Test
  void shouldLetTheWriterDependOnSchemasOnly() {
    mayNotDependOn("writer", "auditor", "repair-worker", "sandbox");
  }

  @Test
  void shouldLetTheAuditorDependOnSchemasOnly() {
    mayNotDependOn("auditor", "writer", "repair-worker", "sandbox");
  }

  @Test
  void shouldLetTheWorkerDependOnSchemasAndWriterOnly() {
    mayNotDependOn("repair-worker", "auditor", "sandbox");
  }

  @Test
  void shouldKeepTheJudgePure() {
    noClasses()
        .that()
        .resideInAPackage("dev.restitch.judge..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.kafka..",
            "io.lettuce..",
            "io.netty..",
            "org.apache.avro..",
            "dev.restitch.avro..",
            "dev.restitch.topology..")
        .check(OURS);
  }

  @Test
  void shouldKeepTheJudgeFromReadingClocks() {
    noClasses()
        .that()
        .resideInAPackage("dev.restitch.judge..")
        .should()
        .callMethodWhere(
            target(nameMatching("currentTimeMillis|nanoTime|now|systemUTC|systemDefaultZone")))
        .because("time is recorded time, so that a replay gives the same verdicts")
        .check(OURS);
  }

  @Test
  void shouldLetServicesWriteToStoresInOnePlaceOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.restitch.worker.apply..")
        .should()
        .callMethodWhere(
            target(nameMatching(WRITES))
                .and(target(owner(DescribedPredicate.describe("is Lettuce's", this::lettuce)))))
        .check(SERVICES);
  }

  private boolean lettuce(JavaClass owner) {
    return owner.getPackageName().startsWith("io.lettuce.core");
  }

  private static void mayNotDependOn(String module, String... others) {
    noClasses().that(module(module)).should().dependOnClassesThat(module(others)).check(OURS);
  }

  /** Classes that come from the folder or the jar of one of these modules. */
  private static DescribedPredicate<JavaClass> module(String... names) {
    Pattern place =
        Pattern.compile(
            "/("
                + String.join("|", List.of(names))
                + ")/target/|/restitch-("
                + String.join("|", List.of(names))
                + ")-[^/]*jar!/");
    return DescribedPredicate.describe(
        "are in " + String.join(" or ", names),
        type ->
            type.getSource()
                .map(source -> place.matcher(source.getUri().toString()).find())
                .orElse(false));
  }
}
