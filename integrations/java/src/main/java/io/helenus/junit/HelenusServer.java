package io.helenus.junit;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.data.CqlDuration;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A running server, a session of the driver on it, and what a test can change about it. */
public final class HelenusServer implements AutoCloseable {
  private static final Pattern PORT = Pattern.compile("\"port\":(\\d+)");

  private final Process process;
  private final InetSocketAddress address;
  private final CqlSession session;

  private HelenusServer(Process process, InetSocketAddress address) {
    this.process = process;
    this.address = address;
    this.session =
        CqlSession.builder().addContactPoint(address).withLocalDatacenter("datacenter1").build();
  }

  /** Starts a server with these arguments of {@code helenus serve}. */
  public static HelenusServer start(List<String> arguments) throws IOException {
    String program = System.getenv().getOrDefault("HELENUS", "helenus");
    List<String> command =
        new ArrayList<>(List.of(program, "serve", "--port", "0", "--json", "--test-hooks"));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String ready = output.readLine();
    Matcher port = PORT.matcher(ready == null ? "" : ready);
    if (!port.find()) {
      process.destroy();
      throw new IOException("helenus serve did not start");
    }
    int number = Integer.parseInt(port.group(1));
    return new HelenusServer(process, new InetSocketAddress("127.0.0.1", number));
  }

  public InetSocketAddress address() {
    return address;
  }

  public CqlSession session() {
    return session;
  }

  public void takeSnapshot(String name) {
    run("INSERT INTO helenus.snapshots (name) VALUES (?)", name);
  }

  public void restoreSnapshot(String name) {
    run("UPDATE helenus.snapshots SET restored = true WHERE name = ?", name);
  }

  /** The time of the server's clock. */
  public Instant now() {
    return session.execute("SELECT now FROM helenus.clock").one().getInstant("now");
  }

  public void setClock(Instant now, boolean frozen) {
    run("UPDATE helenus.clock SET now = ?, frozen = ? WHERE key = 'local'", now, frozen);
  }

  public void advanceClock(Duration by) {
    CqlDuration duration = CqlDuration.newInstance(0, 0, by.toNanos());
    run("UPDATE helenus.clock SET advance = ? WHERE key = 'local'", duration);
  }

  public void resetClock() {
    run("DELETE FROM helenus.clock WHERE key = 'local'");
  }

  /** Adds a fault; the columns are those of the table {@code helenus.faults}. */
  public void addFault(String kind, Map<String, Object> columns) {
    Map<String, Object> all = new LinkedHashMap<>(Map.of("name", "fault", "kind", kind));
    all.putAll(columns);
    String marks = String.join(", ", all.keySet().stream().map(column -> "?").toList());
    String names = String.join(", ", all.keySet());
    run("INSERT INTO helenus.faults (" + names + ") VALUES (" + marks + ")", all.values().toArray());
  }

  public void clearFaults() {
    run("TRUNCATE helenus.faults");
  }

  private void run(String text, Object... values) {
    session.execute(SimpleStatement.newInstance(text, values));
  }

  @Override
  public void close() {
    session.close();
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
