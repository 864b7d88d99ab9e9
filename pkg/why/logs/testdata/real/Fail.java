import java.io.*;
import java.util.*;
import java.util.concurrent.*;

public class Fail {
    static class Source implements AutoCloseable {
        public void close() throws IOException { throw new IOException("close of source failed"); }
        void read(String row) { Integer.parseInt(row); }
    }
    static void log(String level, String text) { System.err.println("26/11/23 18:00:01 " + level + " Job: " + text); }

    static void suppressed() throws Exception {
        try (Source s = new Source()) { s.read("n/a"); }
    }
    static void pool() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        try {
            pool.submit(() -> { Map<String, String> m = new HashMap<>(); return m.get("region").length(); }).get();
        } finally { pool.shutdownNow(); }
    }
    static void retried() {
        for (int i = 0; i < 3; i++) {
            try { new java.net.Socket("127.0.0.1", 1).close(); }
            catch (IOException e) {
                StringWriter w = new StringWriter(); e.printStackTrace(new PrintWriter(w));
                log("WARN", "attempt " + i + " failed, trying again\n" + w.toString().trim());
            }
        }
        log("INFO", "used the cache instead");
        throw new IllegalArgumentException("negative price in row 17");
    }
    static void caughtThenFine() {
        try { suppressed(); } catch (Exception e) { e.printStackTrace(); }
        log("INFO", "SparkContext is stopping with exitCode 0.");
        log("INFO", "Successfully stopped SparkContext");
    }
    static void daemon() throws Exception {
        Thread t = new Thread(() -> { byte[][] b = new byte[1 << 20][]; for (int i = 0; ; i++) b[i] = new byte[1 << 24]; }, "dispatcher-event-loop-1");
        t.start(); t.join();
        throw new IllegalStateException("Cannot call methods on a stopped SparkContext.");
    }
    static void interrupted() throws Exception {
        Thread.currentThread().interrupt();
        Thread.sleep(10);
    }
    static int deep(int n) { return deep(n + 1) + 1; }
    static void hook() throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            log("INFO", "Invoking stop() from shutdown hook");
            ExecutorService pool = Executors.newFixedThreadPool(1); pool.shutdown();
            try { pool.submit(() -> 1); } catch (RejectedExecutionException e) {
                StringWriter w = new StringWriter(); e.printStackTrace(new PrintWriter(w));
                log("ERROR", "Utils: Uncaught exception in thread shutdown-hook-0\n" + w.toString().trim());
            }
        }));
        throw new ArrayIndexOutOfBoundsException("Index 4 out of bounds for length 4");
    }
    static void missing() throws Exception {
        try { Class.forName("org.example.connector.Reader"); }
        catch (ClassNotFoundException e) { throw new RuntimeException("no reader for format x", e); }
    }
    static void version() throws Exception { NewLib.call(); }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "suppressed" -> suppressed();
            case "pool" -> pool();
            case "retried" -> retried();
            case "caught" -> caughtThenFine();
            case "daemon" -> daemon();
            case "interrupted" -> interrupted();
            case "deep" -> deep(0);
            case "hook" -> hook();
            case "missing" -> missing();
            case "version" -> version();
            case "heap" -> { List<byte[]> l = new ArrayList<>(); while (true) l.add(new byte[1 << 22]); }
        }
    }
}
