package dev.restitch.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.restitch.config.ConfigLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The compose files, as far as they can be checked where no engine runs. */
class ScenarioTest {

  private static final Path DOCKER = Path.of("..", "docker");
  private static final Pattern DASHBOARD_METRIC = Pattern.compile("\\b(restitch_[a-z_]+)\\b");

  private static JsonNode compose(String scenario) throws IOException {
    // the mapper does not merge maps by <<, and nothing here asks for what is merged
    return new YAMLMapper().readTree(DOCKER.resolve(scenario).resolve("compose.yaml").toFile());
  }

  @ParameterizedTest
  @ValueSource(strings = {"quick-look", "cluster"})
  void shouldPublishPortsOnLoopbackOnly(String scenario) throws IOException {
    int published = 0;
    for (JsonNode service : compose(scenario).path("services")) {
      for (JsonNode port : service.path("ports")) {
        assertThat(port.asText()).startsWith("127.0.0.1:");
        published++;
      }
    }
    assertThat(published).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"quick-look", "cluster"})
  void shouldPinEveryImageThatIsNotOurs(String scenario) throws IOException {
    for (JsonNode service : compose(scenario).path("services")) {
      String image = service.path("image").asText("");
      if (!image.isEmpty() && !image.startsWith("restitch/")) {
        assertThat(image).matches("[a-z0-9./-]+:[a-z]?[0-9][a-z0-9.-]*");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"quick-look", "cluster"})
  void shouldWaitOnlyForServicesThatTellWhenTheyAreReady(String scenario) throws IOException {
    JsonNode services = compose(scenario).path("services");
    for (JsonNode service : services) {
      service
          .path("depends_on")
          .fields()
          .forEachRemaining(
              peer -> {
                JsonNode other = services.path(peer.getKey());
                assertThat(other.isMissingNode()).as(peer.getKey()).isFalse();
                boolean told = other.has("healthcheck") || other.has("<<");
                boolean ends =
                    peer.getValue()
                        .path("condition")
                        .asText()
                        .equals("service_completed_successfully");
                assertThat(told || ends).as(peer.getKey()).isTrue();
              });
    }
  }

  /** Every variable that begins with RESTITCH_ names a key, or is refused; all files are there. */
  @ParameterizedTest
  @ValueSource(strings = {"quick-look", "cluster"})
  void shouldStartOursWithAConfigurationThatIsValid(String scenario) throws IOException {
    Path folder = DOCKER.resolve(scenario);
    for (String name : List.of("auditor", "repair-worker")) {
      JsonNode service = compose(scenario).path("services").path(name);
      Map<String, String> environment = new HashMap<>();
      service
          .path("environment")
          .fields()
          .forEachRemaining(e -> environment.put(e.getKey(), e.getValue().asText()));
      assertThat(environment.keySet()).anyMatch(key -> key.startsWith("RESTITCH_"));
      assertThatCode(() -> ConfigLoader.load(folder.resolve("restitch.yaml"), environment))
          .doesNotThrowAnyException();
      assertThat(service.has("mem_limit")).isTrue();
      assertThat(Files.readString(DOCKER.resolve("Dockerfile")))
          .contains("AS " + service.path("build").path("target").asText() + "\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"quick-look", "cluster"})
  void shouldMountFilesThatExist(String scenario) throws IOException {
    Path folder = DOCKER.resolve(scenario);
    for (JsonNode service : compose(scenario).path("services")) {
      for (JsonNode volume : service.path("volumes")) {
        assertThat(folder.resolve(volume.asText().split(":")[0])).exists();
      }
    }
  }

  @Test
  void shouldRunAsNobodySpecialAndTakeSignals() throws IOException {
    String file = Files.readString(DOCKER.resolve("Dockerfile"));
    for (String target : List.of("auditor", "repair-worker")) {
      String stage = file.substring(file.indexOf("AS " + target + "\n"));
      assertThat(stage).contains("HEALTHCHECK").contains("ENTRYPOINT [\"java\"");
    }
    assertThat(file.substring(file.indexOf("AS base"))).contains("USER 10001");
  }

  @Test
  void shouldAlertOnMetricsAndRunbooksThatExist() throws IOException {
    JsonNode alerts = new YAMLMapper().readTree(DOCKER.resolve("prometheus/alerts.yml").toFile());
    String runbooks = Files.readString(Path.of("..", "docs", "runbooks.md"));
    Set<String> anchors = new TreeSet<>();
    runbooks
        .lines()
        .filter(line -> line.startsWith("## "))
        .map(line -> line.substring(3).toLowerCase(Locale.ROOT))
        .forEach(h -> anchors.add(h.replaceAll("[^a-z0-9 _-]", "").replace(' ', '-')));
    int rules = 0;
    for (JsonNode rule : alerts.path("groups").path(0).path("rules")) {
      String runbook = rule.path("annotations").path("runbook").asText();
      assertThat(anchors).contains(runbook.substring(runbook.indexOf('#') + 1));
      assertThat(rule.path("labels").path("severity").asText()).isIn("warning", "critical");
      rules++;
    }
    assertThat(rules).isPositive();
  }

  /** Metrics of ours that alerts and dashboard ask for are registered somewhere in the code. */
  @Test
  void shouldAskForMetricsThatAreRegistered() throws IOException {
    Set<String> asked = new TreeSet<>();
    JsonNode dashboard =
        new ObjectMapper().readTree(DOCKER.resolve("grafana/dashboards/restitch.json").toFile());
    dashboard
        .path("panels")
        .forEach(
            panel -> panel.path("targets").forEach(t -> metrics(t.path("expr").asText(), asked)));
    new YAMLMapper()
        .readTree(DOCKER.resolve("prometheus/alerts.yml").toFile())
        .findValues("expr")
        .forEach(expr -> metrics(expr.asText(), asked));
    String code = sources();
    assertThat(asked).isNotEmpty();
    assertThat(asked)
        .allSatisfy(
            metric -> {
              String name = metric.replaceFirst("_total$", "").replace('_', '.');
              String last = name.replaceFirst("^restitch\\.node\\.", "");
              assertThat(code.contains("\"" + name + "\"") || code.contains("\"" + last + "\""))
                  .as(metric)
                  .isTrue();
            });
  }

  private static void metrics(String expression, Set<String> into) {
    Matcher metric = DASHBOARD_METRIC.matcher(expression);
    while (metric.find()) {
      into.add(metric.group(1));
    }
  }

  private static String sources() throws IOException {
    StringBuilder all = new StringBuilder();
    for (String module : List.of("auditor", "repair-worker")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          all.append(Files.readString(file));
        }
      }
    }
    return all.toString();
  }
}
