package dev.restitch.sandbox.bench.drain;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a run needs of the machine; said before the run, not by it. */
record DrainNeeds(long diskBytes, long memoryBytes) {

  private static final long RECORD_BYTES = 260;
  private static final long SIDE_OVERHEAD_BYTES = 60;

  /** Changelogs of the hungriest peer, and what brokers and stores write beside. */
  private static final long CHANGELOG_BYTES_A_TRANSACTION = 2_000;

  private static final long FIXED_DISK_BYTES = 500L << 20;
  private static final long FIXED_MEMORY_BYTES = 1L << 30;

  static DrainNeeds of(DrainData data, int contenders, long heapBytes) {
    long topics =
        data.records() * (RECORD_BYTES + SIDE_OVERHEAD_BYTES)
            + (data.intents() ? data.transactions() * data.valueSize() : 0);
    return new DrainNeeds(
        topics + data.transactions() * CHANGELOG_BYTES_A_TRANSACTION + FIXED_DISK_BYTES,
        FIXED_MEMORY_BYTES + contenders * heapBytes);
  }

  /**
   * Compares with what there is.
   *
   * @throws IOException that says what is missing, and what to do
   */
  void check(Path folder) throws IOException {
    long disk = Files.getFileStore(folder).getUsableSpace();
    if (disk < diskBytes) {
      throw new IOException(
          "the run needs %,d MB in %s, and there are %,d MB; take a smaller --size, or point"
                  .formatted(diskBytes >> 20, folder, disk >> 20)
              + " RESTITCH_JAVA_OPTS=-Djava.io.tmpdir=FOLDER to a larger disk");
    }
    long memory = freeMemory();
    if (memory < memoryBytes) {
      throw new IOException(
          "the run needs up to %,d MB of memory, and there are %,d MB; take fewer --contenders, or"
                  .formatted(memoryBytes >> 20, memory >> 20)
              + " a smaller --open");
    }
  }

  /** What the system can give without swapping, where it tells. */
  private static long freeMemory() throws IOException {
    Path info = Path.of("/proc/meminfo");
    if (Files.isReadable(info)) {
      for (String line : Files.readAllLines(info)) {
        if (line.startsWith("MemAvailable:")) {
          return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
        }
      }
    }
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getFreeMemorySize();
  }
}
