// @HEADER@
package @PACKAGE@;

/** A query or write failed. */
public class AccessException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String function;
    private final String table;
    private final String cql;

    AccessException(String function, String table, String cql, String message, Throwable cause) {
        super(message, cause);
        this.function = function;
        this.table = table;
        this.cql = cql;
    }

    /**
     * The query or write.
     *
     * @return its name in the model
     */
    public String function() {
        return function;
    }

    /**
     * The table of the step that failed.
     *
     * @return its name, or null where no statement failed
     */
    public String table() {
        return table;
    }

    /**
     * The statement that failed.
     *
     * @return its CQL, or null where no statement failed
     */
    public String cql() {
        return cql;
    }
}
