package io.helenus.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** An example: each test starts with the empty tables of schema.cql. */
@Helenus(init = "src/test/resources/schema.cql")
class CartsTest {
  private static final String INSERT =
      "INSERT INTO shop.carts (customer, items) VALUES ('helen', 3)";

  private static int count(CqlSession session) {
    return session.execute("SELECT * FROM shop.carts").all().size();
  }

  @RepeatedTest(2)
  void eachTestStartsAnew(CqlSession session) {
    assertEquals(0, count(session));
    session.execute(INSERT);
    assertEquals(1, count(session));
  }

  @Test
  void cartsExpire(CqlSession session, HelenusServer server) {
    session.execute(INSERT + " USING TTL 86400");
    server.advanceClock(Duration.ofHours(23));
    assertEquals(1, count(session));
    server.advanceClock(Duration.ofHours(2));
    assertEquals(0, count(session));
  }

  @Test
  void timeCanStandStill(HelenusServer server) {
    Instant newYear = Instant.parse("2030-01-01T00:00:00Z");
    server.setClock(newYear, true);
    assertEquals(newYear, server.now());
  }

  @Test
  void aWriteThatTimesOut(CqlSession session, HelenusServer server) {
    server.addFault("timeout", Map.of("statement", "write", "applied", true, "count", 1));
    assertThrows(WriteTimeoutException.class, () -> session.execute(INSERT));
    assertEquals(1, count(session));
  }
}
