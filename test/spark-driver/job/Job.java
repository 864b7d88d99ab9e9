import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a driver or an executor does, in the words of its arguments. Nothing is acted: the JVM fails as JVMs do. */
public class Job {
  public static void main(String[] args) throws Exception {
    log("JVM " + System.getProperty("java.version") + ", heap of " + Runtime.getRuntime().maxMemory() / (1 << 20) + " MiB");
    if (args.length > 1 && args[0].equals("executor")) {
      executor(args[1], Arrays.copyOfRange(args, 2, args.length));
      return;
    }
    act(args);
    log("done");
  }

  /** Dials the driver as executors do, acts, then serves until the driver is gone. */
  private static void executor(String url, String[] args) throws Exception {
    String authority = url.substring(url.indexOf('@') + 1);
    URI driver = URI.create("spark://" + authority);
    // Names are what this dials; the address is asked for, so that an unknown host is named in the exception.
    try (Socket socket = new Socket(InetAddress.getByName(driver.getHost()), driver.getPort())) {
      log("Connected to driver " + authority);
      act(args);
      if (socket.getInputStream().read() < 0) {
        log("Driver " + authority + " disassociated! Shutting down.");
        System.exit(1);
      }
      log("Driver commanded a shutdown");
    }
  }

  private static void act(String[] args) throws Exception {
    String what = args.length == 0 ? "nothing" : args[0];
    String value = args.length < 2 ? "" : args[1];
    switch (what) {
      case "nothing": break;
      case "sleep": Thread.sleep(Long.parseLong(value) * 1000); break;
      case "tasks": tasks(Integer.parseInt(value)); break;
      case "hang": Thread.sleep(Long.MAX_VALUE); break;
      case "heap": heap(value.isEmpty() ? Integer.MAX_VALUE : Integer.parseInt(value)); break;
      case "direct": direct(value.isEmpty() ? Integer.MAX_VALUE : Integer.parseInt(value)); break;
      case "child": System.exit(new ProcessBuilder("/bin/sh", "-c", value).inheritIO().start().waitFor()); break;
      case "class": Class.forName(value); break;
      case "npe": Object none = null; none.hashCode(); break;
      case "stages": stages(Path.of(value)); break;
      case "fill": fill(value); break;
      case "write": write(Path.of(value), Integer.parseInt(args[2])); Thread.sleep(Long.MAX_VALUE); break;
      case "deaf": deaf(); break;
      case "exit": System.exit(Integer.parseInt(value)); break;
      case "within": within(Integer.parseInt(value), Arrays.copyOfRange(args, 2, args.length)); break;
      case "after": Thread.sleep(Long.parseLong(value) * 1000); act(Arrays.copyOfRange(args, 2, args.length)); break;
      default: throw new IllegalArgumentException("unknown action: " + what);
    }
  }

  /** Works on a stage, a task each two seconds, and says so as Spark's driver does. */
  private static void tasks(int all) throws InterruptedException {
    for (int done = 1; done <= all; done++) {
      Thread.sleep(2000);
      say("TaskSetManager", String.format("Finished task %d.0 in stage 1.0 (TID %d) in 2000 ms on 10.203.0.20 (executor 1) (%d/%d)",
          done - 1, done - 1, done, all));
    }
  }

  /** Memory of the heap, in MiB. */
  private static void heap(int mebibytes) {
    List<byte[]> kept = new ArrayList<>();
    while (kept.size() < mebibytes) kept.add(new byte[1 << 20]);
    log("held " + kept.size() + " MiB of heap");
  }

  /** Acts for so many seconds, and then is done, if nothing has ended it. */
  private static void within(int seconds, String[] args) throws Exception {
    Thread acting = new Thread(() -> {
      try {
        act(args);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    });
    acting.setDaemon(true);
    acting.start();
    acting.join(seconds * 1000L);
  }

  /** Memory outside of the heap, which the container's limit ends and not the JVM; in MiB, and then it is held. */
  private static void direct(int mebibytes) throws InterruptedException {
    List<ByteBuffer> kept = new ArrayList<>();
    while (kept.size() < mebibytes) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
      while (buffer.hasRemaining()) buffer.put((byte) 1);
      kept.add(buffer);
    }
    log("holds " + mebibytes + " MiB of direct memory");
    Thread.sleep(Long.MAX_VALUE);
  }

  /** A chain of causes, the last one of the file system. */
  private static void stages(Path input) {
    try {
      try {
        Files.readAllBytes(input);
      } catch (IOException e) {
        throw new IllegalStateException("Task 0 in stage 1.0 failed 4 times", e);
      }
    } catch (IllegalStateException e) {
      throw new RuntimeException("Job aborted due to stage failure", e);
    }
  }

  /** Fills the first of Spark's local directories, in MiB. */
  private static void fill(String mebibytes) throws Exception {
    write(Path.of(System.getenv("SPARK_LOCAL_DIRS").split(",")[0], "spill"), Integer.parseInt(mebibytes));
    Thread.sleep(Long.MAX_VALUE);
  }

  private static void write(Path file, int mebibytes) throws IOException {
    byte[] block = new byte[1 << 20];
    try (OutputStream out = Files.newOutputStream(file)) {
      for (int i = 0; i < mebibytes; i++) out.write(block);
    }
    log("wrote " + mebibytes + " MiB to " + file);
  }

  /** A shutdown hook that never returns: SIGTERM is heard and not followed. */
  private static void deaf() throws InterruptedException {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      log("shutdown hook called");
      try {
        Thread.sleep(Long.MAX_VALUE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }));
    Thread.sleep(Long.MAX_VALUE);
  }

  private static void log(String text) {
    say(MethodHandles.lookup().lookupClass().getSimpleName(), text);
  }

  private static void say(String logger, String text) {
    String time = LocalDateTime.now().format(DateTimeFormatter.ofPattern("yy/MM/dd HH:mm:ss"));
    System.err.println(time + " INFO " + logger + ": " + text);
  }
}
