// @HEADER@
package @PACKAGE@;

import java.util.List;
import java.util.Optional;

/**
 * Some rows of a query, and where the next ones begin.
 *
 * @param rows the rows; perhaps none, even where more follow
 * @param next the position of the next page, empty after the last one. It is text that stays valid
 *     after a restart of the client, for the same query with the same arguments.
 * @param <T> a row
 */
public record Page<T>(List<T> rows, Optional<String> next) {}
