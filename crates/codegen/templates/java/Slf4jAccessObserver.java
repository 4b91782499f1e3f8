// @HEADER@
package @PACKAGE@;

import java.time.Duration;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs statements at level TRACE, functions at DEBUG, and failures at WARN. */
public final class Slf4jAccessObserver implements AccessObserver {
    private final Logger logger;

    /** Logs under the name of this class. */
    public Slf4jAccessObserver() {
        this(LoggerFactory.getLogger(Slf4jAccessObserver.class));
    }

    /**
     * Logs to this logger.
     *
     * @param logger the logger
     */
    public Slf4jAccessObserver(Logger logger) {
        this.logger = Objects.requireNonNull(logger, "logger");
    }

    @Override
    public void onFunction(String function, Outcome outcome, Duration elapsed, Throwable error) {
        if (outcome == Outcome.FAILED || outcome == Outcome.INTERRUPTED) {
            logger.warn("{} {} after {} ms", function, outcome, elapsed.toMillis(), error);
        } else if (logger.isDebugEnabled()) {
            logger.debug("{} {} after {} ms", function, outcome, elapsed.toMillis());
        }
    }

    @Override
    public void onStatement(String function, String table, String cql, Duration elapsed, Throwable error) {
        if (error != null) {
            logger.warn("{} on {} failed after {} ms: {}", function, table, elapsed.toMillis(), cql, error);
        } else if (logger.isTraceEnabled()) {
            logger.trace("{} on {} took {} ms: {}", function, table, elapsed.toMillis(), cql);
        }
    }
}
