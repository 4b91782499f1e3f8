// Calls generated and hand-written functions, as the lines of standard input ask.
//
// A line has a side, a row, the calls in flight and the seconds. The line that is printed has the seconds that it took,
// and the nanoseconds of each call.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"killrvideo"
	"metrics"
)

// A call with a number, from which its arguments are made; it returns how many rows it found.
type function func(number uint32) (int, error)

var numbers atomic.Uint32

func makeID(number uint32) gocql.UUID {
	id := gocql.UUID{6: 0x10, 8: 0x80, 15: 1}
	binary.BigEndian.PutUint32(id[:], number)
	return id
}

func generated(port, delayed int) map[string]function {
	ctx := context.Background()
	videos := killrvideo.NewAccess(connect(port, "killrvideo"), killrvideo.Options{})
	series := metrics.NewAccess(connect(delayed, "metrics"), metrics.Options{})
	return map[string]function{
		"read": func(number uint32) (int, error) {
			_, err := videos.VideoByID(ctx, makeID(number%1000))
			return 1, err
		},
		"slice": func(number uint32) (int, error) {
			rows, err := videos.CommentsOfVideo(ctx, makeID(number%100))
			return len(rows), err
		},
		"write": func(number uint32) (int, error) {
			return 0, videos.CommentOnVideo(ctx, makeID(number), makeID(500+number%500), makeID(number%100), "a comment")
		},
		"range": func(uint32) (int, error) {
			rows, err := series.RecentMetrics(ctx, "cpu", time.Now().Add(-24*time.Hour))
			return len(rows), err
		},
	}
}

func written(port, delayed int) map[string]function {
	ctx := context.Background()
	code := byHand{videos: connect(port, "killrvideo"), metrics: connect(delayed, "metrics")}
	return map[string]function{
		"read": func(number uint32) (int, error) {
			_, err := code.videoByID(ctx, makeID(number%1000))
			return 1, err
		},
		"slice": func(number uint32) (int, error) {
			rows, err := code.commentsOfVideo(ctx, makeID(number%100))
			return len(rows), err
		},
		"write": func(number uint32) (int, error) {
			return 0, code.commentOnVideo(ctx, makeID(number), makeID(500+number%500), makeID(number%100), "a comment")
		},
		"range": func(uint32) (int, error) {
			rows, err := code.recentMetrics(ctx, "cpu", time.Now().Add(-24*time.Hour))
			return len(rows), err
		},
	}
}

func connect(port int, keyspace string) *gocql.Session {
	cluster := gocql.NewCluster("127.0.0.1")
	cluster.Port = port
	cluster.Keyspace = keyspace
	cluster.Consistency = gocql.LocalQuorum
	cluster.DefaultIdempotence = true
	cluster.PoolConfig.HostSelectionPolicy = gocql.TokenAwareHostPolicy(gocql.DCAwareRoundRobinPolicy("datacenter1"))
	session, err := cluster.CreateSession()
	check(err)
	return session
}

func run(call function, inFlight int, seconds float64) (time.Duration, [][]int64) {
	start := time.Now()
	end := start.Add(time.Duration(seconds * float64(time.Second)))
	latencies := make([][]int64, inFlight)
	var running sync.WaitGroup
	for at := range latencies {
		running.Add(1)
		go func() {
			defer running.Done()
			for began := time.Now(); began.Before(end); {
				_, err := call(numbers.Add(1))
				check(err)
				now := time.Now()
				latencies[at] = append(latencies[at], int64(now.Sub(began)))
				began = now
			}
		}()
	}
	running.Wait()
	return time.Since(start), latencies
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	port, err := strconv.Atoi(os.Args[1])
	check(err)
	delayed, err := strconv.Atoi(os.Args[2])
	check(err)
	numbers.Store(1 << 24)
	sides := map[string]map[string]function{"generated": generated(port, delayed), "by_hand": written(port, delayed)}
	one, err := sides["generated"]["range"](0)
	check(err)
	other, err := sides["by_hand"]["range"](0)
	check(err)
	if one == 0 || one != other {
		check(fmt.Errorf("%d rows, and by hand %d", one, other))
	}
	output := bufio.NewWriter(os.Stdout)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var side, row string
		var inFlight int
		var seconds float64
		_, err := fmt.Sscan(lines.Text(), &side, &row, &inFlight, &seconds)
		check(err)
		elapsed, latencies := run(sides[side][row], inFlight, seconds)
		fmt.Fprint(output, elapsed.Seconds())
		for _, list := range latencies {
			for _, latency := range list {
				fmt.Fprint(output, " ", latency)
			}
		}
		fmt.Fprintln(output)
		check(output.Flush())
	}
}
