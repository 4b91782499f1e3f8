// @HEADER@
package @PACKAGE@;

import java.time.Clock;
import java.time.Duration;
import java.util.Objects;

/**
 * How functions run.
 *
 * @param clock the clock, of which only UTC is used
 * @param observer is told of functions and statements
 * @param concurrency the most statements that one call has in flight
 * @param attempts how often a write is tried whose condition compares with what it has read before
 * @param pageSize rows in a page of a result
 * @param batchStatements the most statements of a batch
 * @param batchBytes about the most bytes of a batch; Cassandra refuses batches above 50 KiB
 * @param requestTimeout the time for a statement; null: that of the driver's configuration
 */
public record AccessOptions(
        Clock clock,
        AccessObserver observer,
        int concurrency,
        int attempts,
        int pageSize,
        int batchStatements,
        int batchBytes,
        Duration requestTimeout) {
    /** Checks the options. */
    public AccessOptions {
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(observer, "observer");
        if (concurrency < 1 || attempts < 1 || pageSize < 1 || batchStatements < 1 || batchBytes < 1) {
            throw new IllegalArgumentException("limits must be positive");
        }
    }

    /**
     * The usual options.
     *
     * @return the system's clock, no observer, 50 statements in flight, 3 attempts, pages of 5000 rows,
     *     batches of 100 statements and 40,000 bytes
     */
    public static AccessOptions defaults() {
        return new AccessOptions(Clock.systemUTC(), AccessObserver.NONE, 50, 3, 5000, 100, 40_000, null);
    }

    /**
     * The same with another clock.
     *
     * @param value the clock
     * @return the options
     */
    public AccessOptions withClock(Clock value) {
        return new AccessOptions(
                value, observer, concurrency, attempts, pageSize, batchStatements, batchBytes, requestTimeout);
    }

    /**
     * The same with another observer.
     *
     * @param value the observer
     * @return the options
     */
    public AccessOptions withObserver(AccessObserver value) {
        return new AccessOptions(
                clock, value, concurrency, attempts, pageSize, batchStatements, batchBytes, requestTimeout);
    }

    /**
     * The same with another number of statements in flight.
     *
     * @param value the most statements that one call has in flight
     * @return the options
     */
    public AccessOptions withConcurrency(int value) {
        return new AccessOptions(
                clock, observer, value, attempts, pageSize, batchStatements, batchBytes, requestTimeout);
    }

    /**
     * The same with another number of attempts.
     *
     * @param value how often a write is tried
     * @return the options
     */
    public AccessOptions withAttempts(int value) {
        return new AccessOptions(
                clock, observer, concurrency, value, pageSize, batchStatements, batchBytes, requestTimeout);
    }

    /**
     * The same with another page size.
     *
     * @param value rows in a page
     * @return the options
     */
    public AccessOptions withPageSize(int value) {
        return new AccessOptions(
                clock, observer, concurrency, attempts, value, batchStatements, batchBytes, requestTimeout);
    }

    /**
     * The same with other limits of a batch.
     *
     * @param statements the most statements
     * @param bytes about the most bytes
     * @return the options
     */
    public AccessOptions withBatchLimits(int statements, int bytes) {
        return new AccessOptions(
                clock, observer, concurrency, attempts, pageSize, statements, bytes, requestTimeout);
    }

    /**
     * The same with another time for a statement.
     *
     * @param value the time; null: that of the driver's configuration
     * @return the options
     */
    public AccessOptions withRequestTimeout(Duration value) {
        return new AccessOptions(
                clock, observer, concurrency, attempts, pageSize, batchStatements, batchBytes, value);
    }
}
