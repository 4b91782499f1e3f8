package helenustest_test

import (
	"errors"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"helenus.dev/helenustest"
)

func insert(server *helenustest.Server, using string) error {
	text := "INSERT INTO shop.carts (customer, items) VALUES ('helen', 3) " + using
	return server.Session.Query(text).Exec()
}

func count(t *testing.T, server *helenustest.Server) int {
	t.Helper()
	return server.Session.Query("SELECT * FROM shop.carts").Iter().NumRows()
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestCarts(t *testing.T) {
	server := helenustest.Start(t, "--init", "schema.cql")
	for range 2 {
		t.Run("each test starts anew", func(t *testing.T) {
			server.Isolate(t)
			check(t, insert(server, ""))
			if rows := count(t, server); rows != 1 {
				t.Fatalf("%d rows", rows)
			}
		})
	}
	t.Run("carts expire", func(t *testing.T) {
		server.Isolate(t)
		check(t, insert(server, "USING TTL 86400"))
		check(t, server.AdvanceClock(23*time.Hour))
		if rows := count(t, server); rows != 1 {
			t.Fatalf("%d rows before a day has passed", rows)
		}
		check(t, server.AdvanceClock(2*time.Hour))
		if rows := count(t, server); rows != 0 {
			t.Fatalf("%d rows after a day", rows)
		}
	})
	t.Run("time can stand still", func(t *testing.T) {
		server.Isolate(t)
		check(t, server.SetClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC), true))
		now, err := server.Now()
		check(t, err)
		if now.Year() != 2030 {
			t.Fatal(now)
		}
	})
	t.Run("a write that times out", func(t *testing.T) {
		server.Isolate(t)
		check(t, server.AddFault("timeout", helenustest.Fault{"statement": "write", "applied": true, "count": 1}))
		var timeout *gocql.RequestErrWriteTimeout
		if err := insert(server, ""); !errors.As(err, &timeout) {
			t.Fatal(err)
		}
		if rows := count(t, server); rows != 1 {
			t.Fatalf("%d rows", rows)
		}
	})
}
