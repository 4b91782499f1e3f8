// Package helenustest starts `helenus serve` for tests, and restores its data.
package helenustest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gocql/gocql"
)

// Server is a running server, with a session of the driver.
type Server struct {
	Address string
	Port    int
	Session *gocql.Session
	process *exec.Cmd
}

// Fault is a row of the table helenus.faults, without its name and kind: column names and values.
type Fault map[string]any

// Start starts a server that ends with the test. The arguments are those of `helenus serve`, such as "--init",
// "schema.cql".
func Start(t testing.TB, arguments ...string) *Server {
	t.Helper()
	server, err := Run(arguments...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	return server
}

// Run starts a server for TestMain, which has no test; call Stop at the end.
func Run(arguments ...string) (*Server, error) {
	program := os.Getenv("HELENUS")
	if program == "" {
		program = "helenus"
	}
	arguments = append([]string{"serve", "--port", "0", "--json", "--test-hooks"}, arguments...)
	process := exec.Command(program, arguments...)
	process.Stderr = os.Stderr
	output, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(output).ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("helenus serve ended: %w", process.Wait())
	}
	server := &Server{process: process}
	if err := json.Unmarshal(line, server); err != nil {
		return nil, err
	}
	cluster := gocql.NewCluster(server.Address)
	cluster.Port = server.Port
	cluster.Timeout = 10 * time.Second
	if server.Session, err = cluster.CreateSession(); err != nil {
		server.Stop()
		return nil, err
	}
	return server, nil
}

// Stop ends the server.
func (server *Server) Stop() {
	if server.Session != nil {
		server.Session.Close()
	}
	_ = server.process.Process.Signal(syscall.SIGTERM)
	_ = server.process.Wait()
}

// Isolate returns to the present data, the machine's time and no faults when the test ends.
func (server *Server) Isolate(t testing.TB) {
	t.Helper()
	name := t.Name()
	server.must(t, server.TakeSnapshot(name))
	t.Cleanup(func() {
		server.must(t, server.ClearFaults())
		server.must(t, server.ResetClock())
		server.must(t, server.RestoreSnapshot(name))
		server.must(t, server.run("DELETE FROM helenus.snapshots WHERE name = ?", name))
	})
}

func (server *Server) must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (server *Server) run(text string, values ...any) error {
	return server.Session.Query(text, values...).Exec()
}

// TakeSnapshot takes a snapshot of all data.
func (server *Server) TakeSnapshot(name string) error {
	return server.run("INSERT INTO helenus.snapshots (name) VALUES (?)", name)
}

// RestoreSnapshot returns to a snapshot.
func (server *Server) RestoreSnapshot(name string) error {
	return server.run("UPDATE helenus.snapshots SET restored = true WHERE name = ?", name)
}

// Now is the time of the server's clock.
func (server *Server) Now() (now time.Time, err error) {
	err = server.Session.Query("SELECT now FROM helenus.clock").Scan(&now)
	return now, err
}

// SetClock sets the server's clock, which stands still if it is frozen.
func (server *Server) SetClock(now time.Time, frozen bool) error {
	return server.run("UPDATE helenus.clock SET now = ?, frozen = ? WHERE key = 'local'", now, frozen)
}

// AdvanceClock moves the server's clock.
func (server *Server) AdvanceClock(by time.Duration) error {
	duration := gocql.Duration{Nanoseconds: by.Nanoseconds()}
	return server.run("UPDATE helenus.clock SET advance = ? WHERE key = 'local'", duration)
}

// ResetClock returns to the machine's time.
func (server *Server) ResetClock() error {
	return server.run("DELETE FROM helenus.clock WHERE key = 'local'")
}

// AddFault adds a fault of that kind.
func (server *Server) AddFault(kind string, fault Fault) error {
	columns, marks, values := []string{"name", "kind"}, []string{"?", "?"}, []any{"fault", kind}
	for column, value := range fault {
		columns, marks, values = append(columns, column), append(marks, "?"), append(values, value)
	}
	text := "INSERT INTO helenus.faults (%s) VALUES (%s)"
	return server.run(fmt.Sprintf(text, strings.Join(columns, ", "), strings.Join(marks, ", ")), values...)
}

// ClearFaults removes all faults.
func (server *Server) ClearFaults() error {
	return server.run("TRUNCATE helenus.faults")
}
