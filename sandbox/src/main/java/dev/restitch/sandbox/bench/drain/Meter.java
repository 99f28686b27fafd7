package dev.restitch.sandbox.bench.drain;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** What this process has used up to a moment. */
record Meter(long nanos, long cpuNanos, long allocated, long gcMillis) {

  static Meter now() {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long allocated =
        Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
            .filter(bytes -> bytes > 0)
            .sum();
    long gc =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionTime)
            .sum();
    return new Meter(System.nanoTime(), system.getProcessCpuTime(), allocated, gc);
  }

  /** Heap in use after a collection. */
  static long liveHeap() {
    System.gc();
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Greatest resident size of this process; 0 where the system does not tell. */
  static long peakResident() {
    try {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }
}
