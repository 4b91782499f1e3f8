// @HEADER@
package @PACKAGE@;

import java.time.Duration;

/** Is told of each function and each statement when it has ended, on the thread that ended it: it must not wait. */
public interface AccessObserver {
    /** How a function ended. */
    enum Outcome {
        /** A query returned its rows. */
        READ,
        /** A write was applied. */
        APPLIED,
        /** A condition of a write did not hold: nothing was changed, or it was undone. */
        REFUSED,
        /** A constraint was violated: nothing was changed, or it was undone. */
        VIOLATION,
        /** A write was applied in part. */
        INTERRUPTED,
        /** A statement failed. */
        FAILED
    }

    /** An observer that does nothing. */
    AccessObserver NONE = new AccessObserver() {};

    /**
     * A function has ended.
     *
     * @param function the name of the query or write in the model
     * @param outcome how it ended
     * @param elapsed how long it took
     * @param error what the caller gets, or null
     */
    default void onFunction(String function, Outcome outcome, Duration elapsed, Throwable error) {}

    /**
     * A statement has been answered, or has failed.
     *
     * @param function the name of the query or write that sent it
     * @param table the table
     * @param cql the statement
     * @param elapsed how long it took
     * @param error the error of the driver, or null
     */
    default void onStatement(String function, String table, String cql, Duration elapsed, Throwable error) {}
}
